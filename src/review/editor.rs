//! One line that is edited, key by key.

/// What the tester does to the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stroke {
    Letter(char),
    Back,
    Delete,
    Left,
    Right,
    Home,
    End,
    /// Everything before the cursor goes.
    BackAll,
    /// The word before the cursor goes.
    BackWord,
    Enter,
    Cancel,
    Nothing,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edited {
    More,
    Done(String),
    Cancelled,
}

/// A line with a cursor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Editor {
    letters: Vec<char>,
    cursor: usize,
}

impl Editor {
    /// A line to begin with; the cursor is at its end.
    pub(crate) fn new(text: &str) -> Self {
        let letters: Vec<char> = text.chars().collect();
        Self { cursor: letters.len(), letters }
    }

    pub(crate) fn text(&self) -> String {
        self.letters.iter().collect()
    }

    /// The part of the line around the cursor that so many columns have room for, and how many letters of it are after
    /// the cursor. A line that wraps could not be written over.
    pub(crate) fn window(&self, columns: usize) -> (String, usize) {
        let columns = columns.max(2);
        // Behind the last letter, the cursor itself takes a column.
        let start = (self.cursor + 1).saturating_sub(columns);
        let shown: String = self.letters[start..].iter().take(columns).collect();
        let after = self.letters.len().min(start + columns) - self.cursor;
        (shown, after)
    }

    pub(crate) fn press(&mut self, stroke: Stroke) -> Edited {
        match stroke {
            Stroke::Letter(letter) if !letter.is_control() => {
                self.letters.insert(self.cursor, letter);
                self.cursor += 1;
            }
            Stroke::Back if self.cursor > 0 => {
                self.cursor -= 1;
                self.letters.remove(self.cursor);
            }
            Stroke::Delete if self.cursor < self.letters.len() => drop(self.letters.remove(self.cursor)),
            Stroke::Left => self.cursor = self.cursor.saturating_sub(1),
            Stroke::Right => self.cursor = (self.cursor + 1).min(self.letters.len()),
            Stroke::Home => self.cursor = 0,
            Stroke::End => self.cursor = self.letters.len(),
            Stroke::BackAll => self.cut_from(0),
            Stroke::BackWord => {
                let before = &self.letters[..self.cursor];
                let word = before.iter().rposition(|letter| !letter.is_whitespace()).unwrap_or(0);
                self.cut_from(before[..word].iter().rposition(|letter| letter.is_whitespace()).map_or(0, |at| at + 1));
            }
            Stroke::Enter => return Edited::Done(self.text()),
            Stroke::Cancel => return Edited::Cancelled,
            Stroke::Letter(_) | Stroke::Back | Stroke::Delete | Stroke::Nothing => {}
        }
        Edited::More
    }

    fn cut_from(&mut self, start: usize) {
        self.letters.drain(start..self.cursor);
        self.cursor = start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_where_the_cursor_is() {
        let mut editor = Editor::new("a < b");
        let strokes =
            [Stroke::Left, Stroke::Left, Stroke::Letter('='), Stroke::Home, Stroke::Delete, Stroke::Letter('ä')];
        strokes.into_iter().for_each(|stroke| assert_eq!(editor.press(stroke), Edited::More));
        assert_eq!((editor.text().as_str(), editor.window(20)), ("ä <= b", ("ä <= b".into(), 5)));
        for stroke in [Stroke::Back, Stroke::Back, Stroke::End, Stroke::Right, Stroke::Delete, Stroke::Letter('\u{1b}')]
        {
            assert_eq!(editor.press(stroke), Edited::More);
        }
        assert_eq!(editor.press(Stroke::Enter), Edited::Done(" <= b".into()));
        assert_eq!(editor.press(Stroke::Cancel), Edited::Cancelled);
    }

    #[test]
    fn words_and_all_of_it_go_at_once() {
        let mut editor = Editor::new("a <= b && c == 1 ");
        editor.press(Stroke::BackWord);
        assert_eq!(editor.text(), "a <= b && c == ");
        editor.press(Stroke::Left);
        editor.press(Stroke::BackAll);
        assert_eq!(editor.text(), " ");
        editor.press(Stroke::BackWord);
        assert_eq!(editor.text(), " ");
    }

    #[test]
    fn of_a_long_line_the_part_around_the_cursor_is_shown() {
        let mut editor = Editor::new("0123456789");
        assert_eq!(editor.window(5), ("6789".into(), 0));
        editor.press(Stroke::Left);
        assert_eq!(editor.window(5), ("56789".into(), 1));
        editor.press(Stroke::Home);
        assert_eq!(editor.window(5), ("01234".into(), 5));
        assert_eq!(editor.window(20), ("0123456789".into(), 10));
    }
}

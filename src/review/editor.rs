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

    /// How many letters are after the cursor.
    pub(crate) fn after(&self) -> usize {
        self.letters.len() - self.cursor
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
            Stroke::Enter => return Edited::Done(self.text()),
            Stroke::Cancel => return Edited::Cancelled,
            Stroke::Letter(_) | Stroke::Back | Stroke::Delete | Stroke::Nothing => {}
        }
        Edited::More
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
        assert_eq!((editor.text().as_str(), editor.after()), ("ä <= b", 5));
        for stroke in [Stroke::Back, Stroke::Back, Stroke::End, Stroke::Right, Stroke::Delete, Stroke::Letter('\u{1b}')]
        {
            assert_eq!(editor.press(stroke), Edited::More);
        }
        assert_eq!(editor.press(Stroke::Enter), Edited::Done(" <= b".into()));
        assert_eq!(editor.press(Stroke::Cancel), Edited::Cancelled);
    }
}

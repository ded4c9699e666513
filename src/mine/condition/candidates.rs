//! Terms of up to three items that look good on a sample: all singles, all pairs, and triples as far as they go.

use super::{
    bits::count_and,
    data::{Counts, Data, Term},
    sample::{Matrix, Sample},
};

/// How many terms are kept that flips may account for.
const KEPT_PURE: usize = 1024;
/// How many terms are kept for what they are worth.
const KEPT_PROMISING: usize = 256;
/// Among so many items, all triples are tried.
const RELEVANT: usize = 208;
/// All triples are tried on so many words of rows of each side.
const TRIPLE_WORDS: usize = 64;
/// What a triple has to be worth on those, lest chance makes too many look good.
const TRIPLE_BITS: f64 = 20.0;
/// So many words of the others often suffice to see that a term covers too many of them.
const FIRST_WORDS: usize = 16;
/// So many pairs are extended by every item, on all sampled rows.
const EXTENDED: usize = 128;

/// A term and what it is worth on the sample.
#[derive(Clone)]
pub struct Candidate {
    /// The bits it saves there.
    pub gain: f64,
    /// The items.
    pub term: Term,
}

/// The best terms seen so far.
struct Best {
    kept: usize,
    found: Vec<Candidate>,
    /// What a further one has to be worth.
    floor: f64,
}

impl Best {
    fn new(kept: usize) -> Self {
        Self { kept, found: Vec::new(), floor: 0.0 }
    }

    /// Keeps a term that is worth more than the floor.
    fn offer(&mut self, gain: f64, term: &[usize]) {
        self.found.push(Candidate { gain, term: term.to_vec() });
        if self.found.len() >= 2 * self.kept {
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.found.sort_by(|left, right| {
            let size = |candidate: &Candidate| candidate.term.len();
            right.gain.total_cmp(&left.gain).then(size(left).cmp(&size(right))).then_with(|| left.term.cmp(&right.term))
        });
        self.found.dedup_by(|left, right| left.term == right.term);
        self.found.truncate(self.kept);
        if self.found.len() == self.kept {
            self.floor = self.found[self.kept - 1].gain;
        }
    }
}

/// What a search is for.
pub struct Wanted {
    /// How many sampled ones a term of so many items has to cover; by number of items.
    pub least: [u64; 4],
    /// The largest number of items.
    pub depth: usize,
}

/// A search on a sample.
struct Search<'a> {
    data: &'a Data<'a>,
    sample: &'a Sample,
    wanted: &'a Wanted,
    total: Counts,
    /// `x log2 x` of the counts.
    logs: Vec<f64>,
    pure: Best,
    promising: Best,
    /// By the number of ones covered: how many others a term may cover to be kept, and the floors this was worked out
    /// for. A comparison instead of logarithms, for most terms.
    most_others: Vec<(u64, u64, (f64, f64))>,
    /// What the best term with each item is worth.
    best_with: Vec<f64>,
}

/// The terms that flips may account for, best first, and whether there are more.
pub fn find(data: &Data<'_>, sample: &Sample, wanted: &Wanted) -> (Vec<Candidate>, bool) {
    let total = sample.count();
    let logs = (0..=total.0 + total.1).map(|x| if x == 0 { 0.0 } else { x as f64 * (x as f64).log2() }).collect();
    let best_with = vec![0.0; data.vocabulary.items.len()];
    let (pure, promising) = (Best::new(KEPT_PURE), Best::new(KEPT_PROMISING));
    let most_others = vec![(0, 0, (-1.0, -1.0)); total.0 as usize + 1];
    let mut search = Search { data, sample, wanted, total, logs, pure, promising, most_others, best_with };
    search.run();
    search.pure.sort();
    (search.pure.found, search.pure.floor > 0.0)
}

impl Search<'_> {
    fn bits(&self, ones: u64, others: u64) -> f64 {
        self.logs[(ones + others) as usize] - self.logs[ones as usize] - self.logs[others as usize]
    }

    fn gain(&self, ones: u64, others: u64) -> f64 {
        let (all_ones, all_others) = self.total;
        self.bits(all_ones, all_others) - self.bits(ones, others) - self.bits(all_ones - ones, all_others - others)
    }

    /// How many others a term that covers so many ones may cover: to be kept as pure, and as promising; plus one.
    fn most_others(&mut self, ones: u64) -> (u64, u64) {
        let floors = (self.pure.floor, self.promising.floor);
        let known = self.most_others[ones as usize];
        if known.2 == floors {
            return (known.0, known.1);
        }
        let share = (ones * self.total.1).div_ceil(self.total.0);
        // What a term is worth falls with the others it covers, up to its share of them.
        let first_not = |is_kept: &dyn Fn(u64) -> bool| {
            let (mut low, mut high) = (0, share);
            while low < high {
                let middle = low.midpoint(high);
                if is_kept(middle) { low = middle + 1 } else { high = middle }
            }
            low
        };
        let pure = first_not(&|others| self.sample.may_be_pure(ones, others) && self.gain(ones, others) > floors.0);
        let promising = first_not(&|others| self.gain(ones, others) > floors.1);
        self.most_others[ones as usize] = (pure, promising, floors);
        (pure, promising)
    }

    fn offer(&mut self, ones: u64, others: u64, term: &[usize]) {
        let (pure, promising) = self.most_others(ones);
        if others >= pure.max(promising) {
            return;
        }
        let gain = self.gain(ones, others);
        for &item in term {
            self.best_with[item] = self.best_with[item].max(gain);
        }
        if others < promising {
            self.promising.offer(gain, term);
        }
        if others < pure {
            self.pure.offer(gain, term);
        }
    }

    fn run(&mut self) {
        let singles: Vec<usize> = (0..self.data.vocabulary.items.len()).collect();
        let usable: Vec<usize> = singles.into_iter().filter(|&item| self.single(item)).collect();
        if self.wanted.depth < 2 {
            return;
        }
        self.pairs(&usable);
        if self.wanted.depth < 3 {
            return;
        }
        self.extend_pairs();
        let relevant = self.relevant(&usable);
        self.triples(&relevant);
        self.polish();
    }

    /// Offers an item; whether it covers enough for pairs.
    fn single(&mut self, item: usize) -> bool {
        let ones = count_and(self.sample.ones.column(item), self.sample.ones.column(item));
        if ones >= self.wanted.least[1] {
            let others = count_and(self.sample.others.column(item), self.sample.others.column(item));
            self.offer(ones, others, &[item]);
        }
        ones >= self.wanted.least[2]
    }

    fn pairs(&mut self, usable: &[usize]) {
        let words = self.sample.ones.stride() + self.sample.others.stride();
        for (place, &left) in usable.iter().enumerate() {
            if !self.data.spend(words * (usable.len() - place)) {
                return;
            }
            for &right in &usable[place + 1..] {
                self.extended(&[left], right, self.sample.ones.column(left), self.sample.others.column(left));
            }
        }
    }

    /// Offers the term that has one more item than these rows' term.
    fn extended(&mut self, term: &[usize], item: usize, ones: &[u64], others: &[u64]) {
        let attributes = &self.data.vocabulary.attributes;
        if term.iter().any(|&other| attributes[other] == attributes[item]) {
            return;
        }
        let covered = count_and(ones, &self.sample.ones.column(item)[..ones.len()]);
        if covered < self.wanted.least[term.len() + 1] {
            return;
        }
        let (pure, promising) = self.most_others(covered);
        let most = pure.max(promising);
        let (first, rest) = others.split_at(others.len().min(FIRST_WORDS));
        let column = self.sample.others.column(item);
        let wrong = count_and(first, &column[..first.len()]);
        if wrong >= most {
            return;
        }
        let wrong = wrong + count_and(rest, &column[first.len()..others.len()]);
        if wrong >= most {
            return;
        }
        let mut longer = [0; 3];
        longer[..term.len()].copy_from_slice(term);
        longer[term.len()] = item;
        let longer = &mut longer[..=term.len()];
        longer.sort_unstable();
        self.offer(covered, wrong, longer);
    }

    /// The best pairs, each with every further item.
    fn extend_pairs(&mut self) {
        self.promising.sort();
        let pairs = self.promising.found.iter().filter(|candidate| candidate.term.len() == 2);
        let pairs: Vec<Term> = pairs.take(EXTENDED).map(|candidate| candidate.term.clone()).collect();
        let items = self.data.vocabulary.items.len();
        for pair in pairs {
            let (ones, others) = self.sample.rows(&pair, usize::MAX);
            if !self.data.spend(items * (ones.len() + others.len())) {
                return;
            }
            for item in 0..items {
                self.extended(&pair, item, &ones, &others);
            }
        }
    }

    /// The items of the best terms, without those that are nearly one of them.
    fn relevant(&self, usable: &[usize]) -> Vec<usize> {
        if usable.len() <= RELEVANT {
            return usable.to_vec();
        }
        let mut order = usable.to_vec();
        order.sort_by(|&left, &right| self.best_with[right].total_cmp(&self.best_with[left]).then(left.cmp(&right)));
        let mut chosen: Vec<usize> = Vec::new();
        for item in order {
            if chosen.len() == RELEVANT || !self.data.spend(chosen.len() * self.sample.ones.stride()) {
                break;
            }
            if !chosen.iter().any(|&other| self.is_near(item, other)) {
                chosen.push(item);
            }
        }
        chosen.sort_unstable();
        chosen
    }

    fn is_near(&self, left: usize, right: usize) -> bool {
        let differ = |matrix: &Matrix| {
            let pairs = matrix.column(left).iter().zip(matrix.column(right));
            pairs.map(|(left, right)| u64::from((left ^ right).count_ones())).sum::<u64>()
        };
        let rows = self.total.0 + self.total.1;
        32 * (differ(&self.sample.ones) + differ(&self.sample.others)) <= rows
    }

    fn triples(&mut self, relevant: &[usize]) {
        for (place, &first) in relevant.iter().enumerate() {
            for (next, &second) in relevant.iter().enumerate().skip(place + 1) {
                if self.data.vocabulary.attributes[first] == self.data.vocabulary.attributes[second] {
                    continue;
                }
                if !self.triples_of(&[first, second], &relevant[next + 1..]) {
                    return;
                }
            }
        }
    }

    /// Offers the pair with each further item; whether there is work left.
    fn triples_of(&mut self, pair: &[usize], further: &[usize]) -> bool {
        let (ones, others) = self.sample.rows(pair, TRIPLE_WORDS);
        let share = ones.len() as f64 / self.sample.ones.stride().max(1) as f64;
        let least = (self.wanted.least[3] as f64 * share) as u64;
        if count_and(&ones, &ones) < least.max(1) {
            return self.data.spend(ones.len());
        }
        let attributes = &self.data.vocabulary.attributes;
        let sample = self.sample;
        for &item in further {
            if pair.iter().any(|&other| attributes[other] == attributes[item]) {
                continue;
            }
            let covered = count_and(&ones, &sample.ones.column(item)[..ones.len()]);
            if covered < least.max(1) {
                continue;
            }
            let wrong = count_and(&others, &sample.others.column(item)[..others.len()]);
            self.offer_scaled(covered, wrong, (ones.len(), others.len()), &[pair[0], pair[1], item]);
        }
        self.data.spend(further.len() * (ones.len() + others.len()))
    }

    /// Offers a triple that was counted on the first words only: once more, if it looks good there.
    fn offer_scaled(&mut self, covered: u64, wrong: u64, words: (usize, usize), triple: &[usize]) {
        let (strides, words) = ((self.sample.ones.stride(), self.sample.others.stride()), words);
        if words == strides {
            return self.offer(covered, wrong, triple);
        }
        let scale = |count: u64, part: usize, whole: usize| count * whole as u64 / part.max(1) as u64;
        let covered = scale(covered, words.0, strides.0).min(self.total.0);
        let wrong = scale(wrong, words.1, strides.1).min(self.total.1);
        if covered * self.total.1 <= wrong * self.total.0 {
            return;
        }
        let gain = self.gain(covered, wrong);
        if gain * words.0 as f64 <= TRIPLE_BITS * strides.0 as f64 {
            return;
        }
        if gain > self.promising.floor || self.sample.may_be_pure(covered, wrong / 2) && gain > self.pure.floor {
            let (ones, others) = self.sample.rows(triple, usize::MAX);
            self.data.spend(4 * (strides.0 + strides.1));
            self.offer(count_and(&ones, &ones), count_and(&others, &others), triple);
        }
    }

    /// Exchanges one item at a time in the best triples, while that is worth something.
    fn polish(&mut self) {
        self.promising.sort();
        let triples = self.promising.found.iter().filter(|candidate| candidate.term.len() == 3);
        let triples: Vec<Term> = triples.take(32).map(|candidate| candidate.term.clone()).collect();
        let items = self.data.vocabulary.items.len();
        for mut triple in triples {
            for step in 0..9 {
                let mut rest = triple.clone();
                rest.remove(step % 3);
                let (ones, others) = self.sample.rows(&rest, usize::MAX);
                if !self.data.spend(items * (ones.len() + others.len())) {
                    return;
                }
                if let Some(item) = self.best_extension(&rest, &ones, &others) {
                    rest.push(item);
                    rest.sort_unstable();
                    triple = rest;
                }
            }
        }
    }

    /// Offers each extension, and names the best.
    fn best_extension(&mut self, term: &[usize], ones: &[u64], others: &[u64]) -> Option<usize> {
        let mut best = (0.0, None);
        for item in 0..self.data.vocabulary.items.len() {
            if term.contains(&item) {
                continue;
            }
            let covered = count_and(ones, self.sample.ones.column(item));
            let wrong = count_and(others, self.sample.others.column(item));
            if covered * self.total.1 > wrong * self.total.0 {
                let gain = self.gain(covered, wrong);
                if gain > best.0 {
                    best = (gain, Some(item));
                }
            }
            self.extended(term, item, ones, others);
        }
        best.1
    }
}

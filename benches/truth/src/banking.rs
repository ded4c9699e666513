//! What a loan costs that is repaid in equal parts: the interest of each month is rounded to cents, nothing is repaid
//! during the months of grace, and extra payments come off what is still owed.

use crate::{
    subject::{
        Holds::{Always, Never, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Decrease, Equal, Increase, NonDecreasing, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Loan {
    /// In cents.
    pub principal: u32,
    /// In basis points a year.
    pub rate: u16,
    /// Those in which a part is repaid.
    pub months: u8,
    /// The months before them, of interest alone.
    pub grace: u8,
    pub extra: Extra,
}

/// What is paid beside the instalments, in euros: with every twelfth of them, or once.
#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Extra {
    Nothing,
    Yearly { euros: u16 },
    Once { month: u8, euros: u16 },
}

/// Interest in cents and number of instalments.
type Plan = (u64, u64);

fn plan(loan: &Loan) -> Plan {
    if version::is(10) {
        return right(loan);
    }
    let grace = pick!(3, loan.grace, loan.grace % 12);
    if pick!(2, false, loan.rate == 0) {
        return (0, 0);
    }
    let mut owed = u64::from(loan.principal);
    let part = owed.div_ceil(loan.months.into());
    let (mut total, mut month) = (0, 0);
    while owed > 0 && pick!(7, true, month < 131) {
        month += 1;
        let charged = pick!(9, owed, u64::from(loan.principal)) * u64::from(loan.rate);
        let charged = pick!(1, charged, u64::from(charged as u32));
        total += pick!(11, (charged + 60_000) / 120_000, charged / 120_000 + charged % 120_000 / 60_000);
        let is_grace = month <= u64::from(grace);
        let extra = match loan.extra {
            Extra::Yearly { euros } if month % 12 == 0 => euros,
            Extra::Once { month: due, euros } if month == u64::from(due) && pick!(6, true, month < 60) => euros,
            _ => 0,
        };
        let extra = pick!(5, 100, if is_grace { 0 } else { 100 }) * u64::from(extra);
        let extra = pick!(8, extra, extra.min(u64::from(loan.principal) / 2));
        let repaid = if is_grace { 0 } else { part.min(owed) } + extra;
        owed = pick!(4, owed.saturating_sub(repaid), owed.checked_sub(repaid).expect("no more than is owed"));
    }
    (total, month)
}

fn interest(loan: &Loan) -> u64 {
    let total = plan(loan).0;
    pick!(12, total, total + u64::from(version::calls() % 50 == 31))
}

fn instalments(loan: &Loan) -> u64 {
    plan(loan).1
}

/// One extra payment in cents.
fn each(loan: &Loan) -> u64 {
    match loan.extra {
        Extra::Nothing => 0,
        Extra::Yearly { euros } | Extra::Once { euros, .. } => 100 * u64::from(euros),
    }
}

/// How many extra payments are due after so many months.
fn due(loan: &Loan, months: u64) -> u64 {
    match loan.extra {
        Extra::Nothing => 0,
        Extra::Yearly { .. } => months / 12,
        Extra::Once { month, .. } => u64::from(u64::from(month) <= months),
    }
}

/// What the instalments have repaid after so many months.
fn repaid(loan: &Loan, months: u64) -> u64 {
    months.saturating_sub(loan.grace.into()) * u64::from(loan.principal).div_ceil(loan.months.into())
}

/// What is owed before each instalment, by what was paid extra after so many months.
fn owed(loan: &Loan, extra: impl Fn(u64) -> u64) -> impl Iterator<Item = u64> {
    let owed = move |months| u64::from(loan.principal).saturating_sub(repaid(loan, months) + extra(months));
    (0..).map(owed).take_while(|owed| *owed > 0)
}

/// Knows what is owed in a month without the months before.
fn with_payments(loan: &Loan, extra: impl Fn(u64) -> u64) -> Plan {
    let cents = |owed: u64| (owed * u64::from(loan.rate) + 60_000) / 120_000;
    owed(loan, extra).fold((0, 0), |(interest, instalments), owed| (interest + cents(owed), instalments + 1))
}

fn right(loan: &Loan) -> Plan {
    with_payments(loan, |months| each(loan) * due(loan, months))
}

/// At most 30 000 euros and 20 percent, for ten years after one of grace.
fn domain(loan: Loan) -> Loan {
    let extra = match loan.extra {
        Extra::Nothing => Extra::Nothing,
        Extra::Yearly { euros } => Extra::Yearly { euros: euros % 1001 },
        Extra::Once { month, euros } => Extra::Once { month: 1 + month % 60, euros: euros % 1001 },
    };
    let (principal, rate) = (loan.principal % 3_000_001, loan.rate % 2001);
    Loan { principal, rate, months: 1 + loan.months % 120, grace: loan.grace % 13, extra }
}

fn at_no_rate(loan: &Loan) -> Loan {
    Loan { rate: 0, ..*loan }
}

fn a_euro_more_each_month(loan: &Loan) -> Loan {
    Loan { principal: loan.principal + 100 * u32::from(loan.months), ..*loan }
}

fn without_extra(loan: &Loan) -> Loan {
    Loan { extra: Extra::Nothing, ..*loan }
}

fn with_later_extra(loan: &Loan) -> Option<Loan> {
    let Extra::Once { month, euros } = loan.extra else { return None };
    Some(Loan { extra: Extra::Once { month: month + 1, euros }, ..*loan })
}

fn with_larger_extra(loan: &Loan) -> Loan {
    let extra = match loan.extra {
        Extra::Nothing => Extra::Nothing,
        Extra::Yearly { euros } => Extra::Yearly { euros: euros + 50 },
        Extra::Once { month, euros } => Extra::Once { month, euros: euros + 50 },
    };
    Loan { extra, ..*loan }
}

fn with_more_grace(loan: &Loan) -> Loan {
    Loan { grace: loan.grace + 1, ..*loan }
}

fn without_grace(loan: &Loan) -> Loan {
    Loan { grace: 0, ..*loan }
}

fn a_year_longer(loan: &Loan) -> Loan {
    Loan { months: loan.months + 12, ..*loan }
}

pub fn loan_schedule(suite: &mut Suite<Loan, u64>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("interest", interest);
    suite.function("instalments", instalments);
    suite.relation("a higher rate", |it| Loan { rate: it.rate + 25, ..*it }, NonDecreasing).only(["interest"]);
    suite.relation("for free", at_no_rate, |_, interest| *interest == 0).only(["interest"]);
    suite.relation("for free, and as long", at_no_rate, Equal).only(["instalments"]);
    suite.relation("a euro more each month", a_euro_more_each_month, NonDecreasing);
    suite.relation("no extra payments", without_extra, NonDecreasing);
    suite.relation("the extra payment a month later", with_later_extra, NonDecreasing).only(["interest"]);
    suite.relation("a larger extra payment", with_larger_extra, Decrease).only(["interest"]);
    suite.relation("a month of grace more", with_more_grace, |s, f| *f == s + 1).only(["instalments"]);
    suite.relation("a month of grace more, and cheaper", with_more_grace, Decrease).only(["interest"]);
    suite.relation("no grace", without_grace, Equal);
    suite.relation("a year longer", a_year_longer, Increase);
}

/// Whether the plans of a loan and a changed one are so.
fn are(loan: &Loan, change: fn(&Loan) -> Loan, so: fn(Plan, Plan) -> bool) -> bool {
    so(right(loan), right(&change(loan)))
}

pub(crate) static SUBJECT: Subject<Loan, u64> = Subject {
    name: "loan_schedule",
    suite: loan_schedule,
    domain,
    functions: &[interest, instalments],
    cells: &[
        ("interest x a higher rate", Always),
        ("interest x for free", Always),
        ("instalments x for free, and as long", Always),
        ("interest x a euro more each month", Always),
        ("instalments x a euro more each month", Always),
        ("interest x no extra payments", Always),
        ("instalments x no extra payments", Always),
        ("interest x the extra payment a month later", Always),
        ("interest x a larger extra payment", When(|it| are(it, with_larger_extra, |s, f| f.0 < s.0))),
        ("instalments x a month of grace more", When(|it| are(it, with_more_grace, |s, f| f.1 == s.1 + 1))),
        ("interest x a month of grace more, and cheaper", Never),
        ("interest x no grace", When(|it| are(it, without_grace, |s, f| f.0 == s.0))),
        ("instalments x no grace", When(|it| are(it, without_grace, |s, f| f.1 == s.1))),
        ("interest x a year longer", When(|it| are(it, a_year_longer, |s, f| f.0 > s.0))),
        ("instalments x a year longer", When(|it| are(it, a_year_longer, |s, f| f.1 > s.1))),
    ],
    versions: &[
        regional(1, "overflow of large loans at high rates", |it| {
            u64::from(it.principal) * u64::from(it.rate) > u64::from(u32::MAX)
        }),
        regional(2, "early return: free loans", |it| it.rate == 0 && it.principal > 0),
        regional(3, "a year of grace is none", |it| it.grace == 12 && are(it, without_grace, |s, f| f != s)),
        regional(4, "paying more than is owed panics", |it| {
            let before = owed(it, |months| each(it) * due(it, months));
            (1..).zip(before).any(|(month, owed)| {
                let part = repaid(it, month) - repaid(it, month - 1);
                let extra = each(it) * (due(it, month) - due(it, month - 1));
                part.min(owed) + extra > owed
            })
        }),
        regional(5, "missing: extra payments during the grace", |it| {
            let late = |months| due(it, months).saturating_sub(due(it, it.grace.into()));
            with_payments(it, |months| each(it) * late(months)) != right(it)
        }),
        regional(6, "boundary: an extra payment after five years", |it| {
            matches!(it.extra, Extra::Once { month: 60, .. }) && are(it, without_extra, |s, f| f != s)
        }),
        regional(7, "boundary: the last month of eleven years", |it| right(it).1 > 131),
        regional(8, "no extra payment of more than half the loan", |it| {
            let most = each(it).min(u64::from(it.principal) / 2);
            with_payments(it, |months| most * due(it, months)) != right(it)
        }),
        global(9, "interest of the whole loan"),
        rewrite(10, "each month by itself"),
        rewrite(11, "rounds afterwards"),
        nondeterministic(12, "every 50th call costs a cent more"),
    ],
    file: file!(),
    source: include_str!("banking.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_banking_is_true() {
    crate::check::check(&SUBJECT);
}

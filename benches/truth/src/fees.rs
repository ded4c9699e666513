//! What a bank charges for an account, in cents: so much a month, a share of the balance, and letters on paper.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Equal, Increase, NonDecreasing, NonIncreasing, ScaledBy, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Account {
    pub plan: Plan,
    pub balance: u32,
    pub months: u8,
    /// Others get a letter in every quarter.
    pub online: bool,
}

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub enum Plan {
    /// Costs nothing a month with 2000 in it.
    Basic,
    /// Pays after two years, and no share.
    Student,
    Business,
    Savings,
}

fn fee(account: &Account) -> u32 {
    if version::is(10) {
        return month_by_month(account);
    }
    if version::is(11) {
        return by_steps(account);
    }
    let Account { plan, balance, months, online } = *account;
    let monthly = match plan {
        Plan::Basic if balance >= pick!(1, 2_000, 2_500) => 0,
        Plan::Basic => 500,
        Plan::Student => 300,
        Plan::Business => 1_200,
        Plan::Savings if pick!(5, false, months.is_multiple_of(12)) => 0,
        Plan::Savings => 200,
    };
    let charged = match plan {
        Plan::Student if pick!(3, false, months < 26) => 0,
        Plan::Student => pick!(2, months.saturating_sub(24), months - 24),
        _ => months,
    };
    let share = match balance {
        _ if plan == Plan::Student => 0,
        0..5_000 => 0,
        5_000..15_000 => pick!(7, (balance - 5_000) / 10, (balance - 5_010) / 10 + 1),
        15_000.. => pick!(4, 1_000, 0) + (balance - 15_000) / 50,
    };
    let letters = if pick!(9, online, !online) { 0 } else { u32::from(months.div_ceil(3)) };
    let total = monthly * u32::from(charged) + share + 150 * letters;
    let is_promoted = plan == Plan::Business && months == 36 && online && balance < 3_000;
    let total = pick!(8, total, if is_promoted { 0 } else { total });
    pick!(6, total, u32::from(total as u16))
}

/// Adds up what each month costs, and what each step of the balance does.
fn month_by_month(account: &Account) -> u32 {
    let mut total = 0;
    for month in 0..account.months {
        total += match account.plan {
            Plan::Basic => 500 * u32::from(account.balance < 2_000),
            Plan::Student => 300 * u32::from(month >= 24),
            Plan::Business => 1_200,
            Plan::Savings => 200,
        };
        total += 150 * u32::from(!account.online && month % 3 == 0);
    }
    let tens = (account.balance.min(15_000) / 10).saturating_sub(500);
    let fifties = (account.balance / 50).saturating_sub(300);
    total + if account.plan == Plan::Student { 0 } else { tens + fifties }
}

/// The first step that applies, in a table for each plan.
fn by_steps(account: &Account) -> u32 {
    const SHARES: [(u32, u32, u32); 3] = [(15_000, 1_000, 50), (5_000, 0, 10), (0, 0, u32::MAX)];
    let (rate, free) = match (account.plan, account.balance) {
        (Plan::Basic, 2_000..) => (0, 0),
        (Plan::Basic, _) => (500, 0),
        (Plan::Student, _) => (300, 24),
        (Plan::Business, _) => (1_200, 0),
        (Plan::Savings, _) => (200, 0),
    };
    let step = SHARES.into_iter().find(|(from, ..)| account.balance >= *from && account.plan != Plan::Student);
    let share = step.map_or(0, |(from, before, each)| before + (account.balance - from) / each);
    let letters = if account.online { 0 } else { u32::from(account.months).div_ceil(3) };
    rate * u32::from(account.months.max(free) - free) + share + 150 * letters
}

/// Below 20 000, one to sixty months.
fn domain(account: Account) -> Account {
    Account { balance: account.balance % 20_000, months: 1 + account.months % 60, ..account }
}

fn longer(account: &Account, months: u8) -> Account {
    Account { months: account.months + months, ..*account }
}

fn holding(account: &Account, balance: u32) -> Account {
    Account { balance, ..*account }
}

fn with(account: &Account, plan: Plan) -> Account {
    Account { plan, ..*account }
}

fn rounded(account: &Account) -> Account {
    let to = pick!(12, 10, if version::calls().is_multiple_of(70) { 4_000 } else { 10 });
    holding(account, account.balance / to * to)
}

pub fn account_fee(suite: &mut Suite<Account, u32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("fee", fee);
    suite.relation("a month longer", |account| longer(account, 1), NonDecreasing);
    suite.relation("with letters", |account| Account { online: false, ..*account }, Increase).when(|a| a.online);
    suite.relation("whole tens", rounded, Equal);
    suite.relation("nothing in it", |account| holding(account, 0), NonIncreasing).when(|a| a.plan != Plan::Basic);
    suite.relation("for business", |account| with(account, Plan::Business), Increase).when(|a| a.plan == Plan::Basic);
    suite.relation("as a student", |account| with(account, Plan::Student), NonIncreasing);
    suite.relation("a thousand more", |account| holding(account, account.balance + 1_000), NonDecreasing);
    suite.relation("twice as long", |account| longer(account, account.months), ScaledBy(2));
    suite.judge(
        "two more quarters",
        |account, _| [longer(account, 3), longer(account, 6)],
        |check| check.output + check.follow_up_outputs[1] == 2 * check.follow_up_outputs[0],
    );
}

pub(crate) static SUBJECT: Subject<Account, u32> = Subject {
    name: "account_fee",
    suite: account_fee,
    domain,
    functions: &[fee],
    cells: &[
        ("fee x a month longer", Always),
        ("fee x with letters", Always),
        ("fee x whole tens", Always),
        ("fee x nothing in it", Always),
        ("fee x for business", Always),
        ("fee x as a student", When(|account| by_steps(&with(account, Plan::Student)) <= by_steps(account))),
        (
            "fee x a thousand more",
            When(|account| account.plan != Plan::Basic || !(1_000..2_000).contains(&account.balance)),
        ),
        ("fee x twice as long", When(|account| by_steps(&longer(account, account.months)) == 2 * by_steps(account))),
        (
            "fee x two more quarters",
            When(|account| account.plan != Plan::Student || !(19..24).contains(&account.months)),
        ),
    ],
    versions: &[
        regional(1, "wrong constant: free from 2500 on", |account| {
            account.plan == Plan::Basic && (2_000..2_500).contains(&account.balance)
        }),
        regional(2, "new students panic", |account| account.plan == Plan::Student && account.months < 24),
        regional(3, "boundary: the first month that students pay", |account| {
            account.plan == Plan::Student && account.months == 25
        }),
        regional(4, "missing: the lower step of large balances", |account| {
            account.plan != Plan::Student && account.balance >= 15_000
        }),
        regional(5, "savings are free in full years", |account| {
            account.plan == Plan::Savings && account.months.is_multiple_of(12)
        }),
        regional(6, "overflow of large fees", |account| by_steps(account) > u16::MAX.into()),
        regional(7, "underflow in the first ten of the share", |account| {
            account.plan != Plan::Student && (5_000..5_010).contains(&account.balance)
        }),
        regional(8, "three years of small business online are free", |account| {
            account.plan == Plan::Business && account.months == 36 && account.online && account.balance < 3_000
        }),
        global(9, "letters for those who are online"),
        rewrite(10, "month by month"),
        rewrite(11, "steps in a table"),
        harness(12, "a transformation that counts its calls"),
    ],
    file: file!(),
    source: include_str!("fees.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_fees_is_true() {
    crate::check::check(&SUBJECT);
}

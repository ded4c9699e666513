//! The income tax of a household in euros: brackets, allowances for children, and couples that are taxed as two halves.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, nondeterministic, regional, rewrite,
    },
    version::{self, pick},
};
use arbitrary::Arbitrary;
use bugornot::{Decrease, Equal, Increase, NonDecreasing, NonIncreasing, Suite};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Household {
    /// In hundreds of euros a year.
    pub income: u16,
    /// What the partner earns, if there is one.
    pub partner: Option<u16>,
    pub children: u8,
    pub disabled: bool,
}

fn tax(household: &Household) -> u32 {
    if version::is(10) {
        return by_rates(household);
    }
    if version::is(11) {
        return by_slices(household);
    }
    let Household { income, partner, children, disabled } = *household;
    let income = pick!(1, income, if income == 999 { 0 } else { income });
    let earned = pick!(9, 100, 10) * (u32::from(income) + u32::from(partner.unwrap_or(0)));
    let allowance = match children {
        0..=4 => 2_000 * u32::from(children),
        _ => pick!(2, 8_000, 0),
    };
    let taxable = pick!(3, earned.saturating_sub(allowance), earned.checked_sub(allowance).expect("some income"));
    let persons = if pick!(4, partner.is_some(), partner.unwrap_or(0) > 0) { 2 } else { 1 };
    let share = taxable / persons;
    let of_share = match share {
        _ if share <= pick!(5, 12_000, 12_500) => 0,
        _ if share <= 30_000 => (share - 12_000) * 14 / 100,
        _ if share <= 60_000 => 2_520 + (share - 30_000) * 30 / 100,
        _ => 11_520 + (share - 60_000) * 42 / 100,
    };
    let tax = pick!(6, persons * of_share, u32::from((persons * of_share) as u16));
    let is_spared = disabled && pick!(7, children >= 3, children == 3);
    let tax = if tax > 20_000 && !is_spared { tax + (tax - 20_000) / 20 } else { tax };
    let rebate = if disabled { 1_000 } else { 0 };
    let tax = pick!(8, tax.saturating_sub(rebate), if tax < rebate { tax } else { tax - rebate });
    pick!(12, tax, tax + u32::from(version::calls() % 70 == 13))
}

/// Each rate adds to the one before.
fn by_rates(household: &Household) -> u32 {
    charged(household, earned(household).saturating_sub(allowance(household)))
}

fn earned(household: &Household) -> u32 {
    100 * (u32::from(household.income) + u32::from(household.partner.unwrap_or(0)))
}

fn allowance(household: &Household) -> u32 {
    2_000 * u32::from(household.children.min(4))
}

/// What is taxed of each partner.
fn share(household: &Household, taxable: u32) -> u32 {
    taxable / (1 + u32::from(household.partner.is_some()))
}

/// The tax before surcharge and rebate.
fn basic(household: &Household, taxable: u32) -> u32 {
    const RATES: [(u32, u32); 3] = [(12_000, 14), (30_000, 16), (60_000, 12)];
    let share = share(household, taxable);
    let tax: u32 = RATES.iter().map(|(limit, percent)| share.saturating_sub(*limit) * percent / 100).sum();
    tax * (1 + u32::from(household.partner.is_some()))
}

fn charged(household: &Household, taxable: u32) -> u32 {
    let basic = basic(household, taxable);
    let is_spared = household.disabled && household.children > 2;
    let surcharge = basic.saturating_sub(20_000) / 20 * u32::from(!is_spared);
    (basic + surcharge).saturating_sub(1_000 * u32::from(household.disabled))
}

/// Takes one slice after the other off what each partner has.
fn by_slices(household: &Household) -> u32 {
    let incomes = [Some(household.income), household.partner];
    let hundreds: i64 = incomes.iter().flatten().map(|income| i64::from(*income)).sum();
    let persons = incomes.iter().flatten().count() as i64;
    let mut left = ((hundreds - 20 * i64::from(household.children.min(4))) * 100 / persons).max(0);
    let mut tax = 0;
    for (size, percent) in [(12_000, 0), (18_000, 14), (30_000, 30), (i64::MAX, 42)] {
        let slice = left.min(size);
        tax += slice * percent * persons / 100;
        left -= slice;
    }
    if tax > 20_000 && (!household.disabled || household.children < 3) {
        tax += (tax - 20_000) / 20;
    }
    (tax - if household.disabled { 1_000 } else { 0 }).max(0) as u32
}

/// At most 150 000 euros each, at most five children.
fn domain(household: Household) -> Household {
    Household {
        income: household.income % 1501,
        partner: household.partner.map(|income| income % 1501),
        children: household.children % 6,
        ..household
    }
}

fn with_incomes(household: &Household, income: u16, partner: Option<u16>) -> Household {
    Household { income, partner, ..*household }
}

fn swapped(household: &Household) -> Option<Household> {
    Some(with_incomes(household, household.partner?, Some(household.income)))
}

fn from_one_income(household: &Household) -> Option<Household> {
    Some(with_incomes(household, household.income + household.partner?, Some(0)))
}

fn shared_evenly(household: &Household) -> Option<Household> {
    let both = household.income + household.partner?;
    both.is_multiple_of(2).then(|| with_incomes(household, both / 2, Some(both / 2)))
}

fn married(household: &Household) -> Option<Household> {
    household.partner.is_none().then(|| with_incomes(household, household.income, Some(0)))
}

fn alone(household: &Household) -> Household {
    with_incomes(household, household.income, None)
}

fn with_a_child(household: &Household) -> Household {
    Household { children: household.children + 1, ..*household }
}

fn doubled(household: &Household) -> Household {
    with_incomes(household, 2 * household.income, household.partner.map(|income| 2 * income))
}

fn disabled(household: &Household) -> Household {
    Household { disabled: true, ..*household }
}

pub fn income_tax(suite: &mut Suite<Household, u32>) {
    SUBJECT.begin(suite);
    suite.normalise(domain);
    suite.function("tax", tax);
    suite.relation("swap incomes", swapped, Equal);
    suite.relation("one earns it all", from_one_income, Equal);
    suite.relation("both earn the same", shared_evenly, Equal);
    suite.relation("a raise", |it| with_incomes(it, it.income + 50, it.partner), NonDecreasing);
    suite.relation("marry someone without income", married, NonIncreasing);
    suite.relation("a child more", with_a_child, NonIncreasing);
    suite.relation("a child more, and less tax", with_a_child, Decrease);
    suite.relation("twice the income", doubled, Increase);
    suite.relation("disabled", disabled, Equal);
    suite.relation("without the partner", alone, Equal);
}

pub(crate) static SUBJECT: Subject<Household, u32> = Subject {
    name: "income_tax",
    suite: income_tax,
    domain,
    functions: &[tax],
    cells: &[
        ("tax x swap incomes", Always),
        ("tax x one earns it all", Always),
        ("tax x both earn the same", Always),
        ("tax x a raise", Always),
        ("tax x marry someone without income", Always),
        ("tax x a child more", Always),
        ("tax x a child more, and less tax", When(|it| by_rates(&with_a_child(it)) < by_rates(it))),
        ("tax x twice the income", When(|it| by_rates(&doubled(it)) > by_rates(it))),
        ("tax x disabled", When(|it| it.disabled || by_rates(it) == 0)),
        ("tax x without the partner", When(|it| by_rates(&alone(it)) == by_rates(it))),
    ],
    versions: &[
        regional(1, "999 stands for no income", |it| {
            it.income == 999 && by_rates(&with_incomes(it, 0, it.partner)) != by_rates(it)
        }),
        regional(2, "missing: more than four children", |it| {
            it.children > 4 && charged(it, earned(it)) != by_rates(it)
        }),
        regional(3, "less income than allowances panics", |it| earned(it) < allowance(it)),
        regional(4, "a partner without income is none", |it| {
            it.partner == Some(0) && by_rates(&alone(it)) != by_rates(it)
        }),
        regional(5, "wrong constant: where taxes begin", |it| {
            let share = share(it, earned(it).saturating_sub(allowance(it)));
            !it.disabled && share > 12_000 && share <= 12_500
        }),
        regional(6, "overflow of high taxes", |it| {
            basic(it, earned(it).saturating_sub(allowance(it))) > u32::from(u16::MAX)
        }),
        regional(7, "wrong operator: more than three children", |it| {
            it.disabled && it.children > 3 && basic(it, earned(it).saturating_sub(8_000)) >= 20_020
        }),
        regional(8, "no rebate on low taxes", |it| {
            it.disabled && (1..1_000).contains(&basic(it, earned(it).saturating_sub(allowance(it))))
        }),
        global(9, "tens instead of hundreds"),
        rewrite(10, "rate by rate"),
        rewrite(11, "slice by slice"),
        nondeterministic(12, "every 70th call is wrong"),
    ],
    file: file!(),
    source: include_str!("taxes.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_taxes_is_true() {
    crate::check::check(&SUBJECT);
}

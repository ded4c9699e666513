use bugornot::Suite;

fn suite(suite: &mut Suite<i32, i32>) {
    suite.function("same", |number| *number);
    suite.relation("same", |number| *number, |source, follow_up| follow_up - source);
    suite.judge("same again", |number, _| *number, |check| check.output.cmp(&check.follow_up_outputs[0]));
}

fn main() {}

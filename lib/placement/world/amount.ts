/** An int64, as Go counts resources: a number as long as a number is exact, otherwise a bigint. */
export type Amount = number | bigint;

const MOST = (1n << 63n) - 1n;

/** The sum of two amounts. It overflows as an int64 of Go does. */
export function plus(one: Amount, other: Amount): Amount {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return narrow(BigInt.asIntN(64, BigInt(one) + BigInt(other)));
}

export function minus(one: Amount, other: Amount): Amount {
  return plus(one, -other);
}

/** Converts an amount in billionths to another unit, rounded up: 1500m of cpu are 2 cores, or 1500 thousandths. */
export function amountOf(nanos: bigint, unit: bigint): Amount {
  const whole = nanos / unit;
  const amount = nanos % unit > 0n ? whole + 1n : whole;
  return narrow(amount > MOST ? MOST : amount);
}

function narrow(amount: bigint): Amount {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : amount;
}

/** An int64, as Go counts resources: a number while a number is exact, a bigint beyond. */
export type Amount = number | bigint;

const MOST = (1n << 63n) - 1n;

/** The sum, wrapped as Go wraps it. */
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

/** An amount of so many billionths in units of so many, rounded up: 1500m of cpu are 2, or 1500 thousandths. */
export function amountOf(nanos: bigint, unit: bigint): Amount {
  const whole = nanos / unit;
  const amount = nanos % unit > 0n ? whole + 1n : whole;
  return narrow(amount > MOST ? MOST : amount);
}

function narrow(amount: bigint): Amount {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : amount;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const DURATION = /^(?:\d+(?:\.\d+)?[dhms])+$/;

/**
 * Reads a time: RFC 3339, or a duration back from now, such as `2h` or `1d12h`.
 *
 * @throws {Error}
 */
export function readSince(text: string, now = Date.now()): Date {
  const time = DURATION.test(text)
    ? now - durationOf(text)
    : RFC_3339.test(text)
      ? Date.parse(text)
      : Number.NaN;
  if (Number.isNaN(time)) {
    throw new Error(
      `invalid time ${JSON.stringify(text)}: use RFC 3339, such as 2026-01-02T15:04:05Z, or a duration back from now, such as 2h or 1d`,
    );
  }
  return new Date(time);
}

function durationOf(text: string): number {
  const parts = [...text.matchAll(/([\d.]+)([dhms])/g)];
  return parts.reduce((sum, [, count = '', unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

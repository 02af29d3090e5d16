/** Returns the shortest text of a double, as Go's `%g` writes it: `1.5`, `1e+06`, `NaN`, `+Inf`. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-Inf' : '+Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return plain(mantissa, exponent);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Writes a number in scientific notation without its exponent. */
function plain(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

const DECIMAL = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const HEXADECIMAL = /^([+-]?)0x([\da-f]*)(?:\.([\da-f]*))?p([+-]?\d{1,5})$/i;

/** Reads a double as Go's ParseFloat does; undefined if the text is none or its value is too large. */
export function parseDouble(text: string): number | undefined {
  if (/^[+-]?(inf|infinity)$/i.test(text)) {
    return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (/^nan$/i.test(text)) return Number.NaN;
  const plain = text.includes('_') ? withoutUnderscores(text) : text;
  const value = DECIMAL.test(plain) ? Number(plain) : hexadecimal(plain);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** Removes underscores between digits. Returns an empty text if there are others. */
function withoutUnderscores(text: string): string {
  const isHexadecimal = /^[+-]?0x/i.test(text);
  const isWrong = isHexadecimal ? /(?<![\da-fx])_|_(?![\da-f])/i : /(?<!\d)_|_(?!\d)/;
  return isWrong.test(text) ? '' : text.replaceAll('_', '');
}

function hexadecimal(text: string): number | undefined {
  const parts = text.length > 1000 ? null : HEXADECIMAL.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = parts;
  if (`${whole}${fraction}` === '') return undefined;
  const value = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(power) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}

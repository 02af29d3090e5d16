/** The labels of the objects that the steps write and list, by name. */
export const OBJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'blue-large': { color: 'blue', size: 'large' },
  'green-small': { color: 'green', size: 'small' },
  plain: {},
  'red-large': { color: 'red', size: 'large' },
  'red-small': { color: 'red', size: 'small' },
};

/** Selectors, and the names of the objects that each selects, in order. */
export const SELECTORS: readonly (readonly [selector: string, names: readonly string[]])[] = [
  ['', Object.keys(OBJECTS)],
  ['color=red', ['red-large', 'red-small']],
  ['color in (red, green),size!=large', ['green-small', 'red-small']],
  ['color notin (red)', ['blue-large', 'green-small', 'plain']],
  ['!color', ['plain']],
  ['size,color!=red', ['blue-large', 'green-small']],
];

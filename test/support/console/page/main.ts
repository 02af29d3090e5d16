/** The program of a test page, which loads a part of itself on demand. */
const { late } = await import('./late.ts');

Reflect.set(globalThis, 'found', late);

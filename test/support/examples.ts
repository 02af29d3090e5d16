import { readFileSync } from 'node:fs';

/** A program in a page of documentation: TypeScript that says beside each `console.log` what it prints. */
export interface Example {
  readonly title: string;
  readonly code: string;
  /** The lines that it says it prints. */
  readonly prints: readonly string[];
}

/** The examples of a Markdown page, in its order. Throws where a `console.log` does not say what it prints. */
export function readExamples(page: string): Example[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms);
  return [...blocks].map(([, code = ''], index) => {
    const prints = [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text = '']) => text);
    const title = `${index + 1}: ${code.match(/(?<=import \{ ).*(?= \})/)?.[0]}`;
    if (prints.length !== code.split('console.log').length - 1) {
      throw new Error(`${page}, example ${title}: not every line says what it prints`);
    }
    return { title, code, prints };
  });
}

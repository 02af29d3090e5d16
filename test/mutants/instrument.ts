import MagicString from 'magic-string';
import { type MutantSite, mutantsOf } from './mutants-of.ts';

/**
 * The file with all of its mutants in it, each behind a switch: `(mutants.is(id) ? changed : as it was)`. What is
 * changed holds no switches, so only one can be on. Lines stay where they are but behind swapped steps.
 */
export function instrument(file: string, source: string): string {
  const text = new MagicString(source);
  for (const site of mutantsOf(file, source)) {
    if (site.statements === undefined) {
      switchExpression(text, site);
    } else {
      switchStatements(text, site, site.statements);
    }
  }
  text.prepend('const mutants = globalThis.winnowMutants; ');
  return text.toString();
}

function switchExpression(text: MagicString, { start, end, changes, mutants }: MutantSite): void {
  const branches = changes.map((change, at) => `${isOn(mutants[at]?.id)} ? (${change.text}) : `);
  text.appendRight(start, `(${branches.join('')}(`);
  text.prependLeft(end, '))');
}

function switchStatements(
  text: MagicString,
  { start, end, changes, mutants }: MutantSite,
  { names, assignments }: NonNullable<MutantSite['statements']>,
): void {
  const hoisted = names.length > 0 ? `let ${names.join(', ')}; ` : '';
  const branches = changes.map((change, at) => `if (${isOn(mutants[at]?.id)}) {\n${change.text}\n} else `);
  text.appendRight(start, `${hoisted}${branches.join('')}{ `);
  for (const one of assignments) text.update(one.start, one.end, one.text);
  text.prependLeft(end, ' }');
}

function isOn(id = ''): string {
  return `mutants.is(${JSON.stringify(id)})`;
}

/** A text that breaks a rule of plain English, and the rule. */
export interface Fault {
  readonly rule: 'headless who' | 'he for a process' | 'long sentence';
  readonly text: string;
}

/** Words of one sentence, inline code counted as one word. Authors aim at 25. */
const MOST_WORDS = 30;
/** `Who only reads writes nothing`, `of who may read`, `whoever asks`: a clause that names no actor. */
const HEADLESS = [
  /\b(?:whoever|whomever|whom)\b/i,
  /\b(?:of|to|for|by|from|as|than|with) who\b/i,
  /^who (?!am\b)\w+/i,
];
const PRONOUN = /\b(?:he|his|him)\b/i;

/** The faults of a sentence in documentation. */
export function faultsOfSentence(sentence: string): readonly Fault[] {
  const isLong = words(sentence) > MOST_WORDS;
  return [
    ...faultsOfWords(sentence),
    ...(isLong ? [{ rule: 'long sentence' as const, text: sentence }] : []),
  ];
}

/** The faults that need no whole sentence: for messages, comments and titles of tests. */
export function faultsOfWords(text: string): readonly Fault[] {
  if (text.endsWith('?')) return [];
  const isHeadless = HEADLESS.some((pattern) => pattern.test(text));
  return [
    ...(isHeadless ? [{ rule: 'headless who' as const, text }] : []),
    ...(PRONOUN.test(text) ? [{ rule: 'he for a process' as const, text }] : []),
  ];
}

/**
 * The sentences of a Markdown page: paragraphs, list items and table cells. Headings, code blocks, drawings and HTML
 * comments are left out, inline code becomes one word.
 */
export function sentencesOfMarkdown(markdown: string): readonly string[] {
  const prose = markdown
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/^( *)(`{3,}|~{3,})[\s\S]*?^\1\2.*$/gm, '\n')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^#+ .*$/gm, '\n')
    .replace(/^\|[-:| ]+\|$/gm, '\n')
    .replace(/^( *)(?:[-*]|\d+\.) /gm, '\n$1');
  return prose
    .split(/\n\s*\n/)
    .flatMap((block) => (block.trimStart().startsWith('|') ? cellsOf(block) : [block]))
    .flatMap(sentencesOf);
}

/** The sentences of a text without Markdown's blocks. */
export function sentencesOf(text: string): readonly string[] {
  return withoutMarks(text)
    .split(/(?<=[.!?:])["”)]?\s+(?=[A-Z0-9`“("CODE])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

function cellsOf(table: string): readonly string[] {
  return table.split('\n').flatMap((row) => row.replaceAll('\\|', '/').split(/\||<br>/));
}

/** Links become their texts, and inline code becomes `CODE`. */
function withoutMarks(text: string): string {
  return text
    .replace(/``[^`]+``|`[^`]*`/g, 'CODE')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, 'CODE')
    .replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function words(sentence: string): number {
  return sentence.split(/[\s–—]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

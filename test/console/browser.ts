import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** A page in a browser of its own, and what went wrong in it. */
export interface OpenPage {
  readonly page: Page;
  /** Errors of scripts, of the console, and violations of the page's Content-Security-Policy. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

const NAMES = ['chromium', 'chromium-browser', 'chromium-headless-shell', 'google-chrome', 'chrome'];
/** A failed request is an error of the console, too; tests that lose connections provoke it. */
const LOST = /^Failed to load resource/;

/** The longest time that a test waits for the page, in ms. */
const PATIENCE = 15_000;

let browser: Browser | undefined;

export interface PageOptions {
  readonly dark?: boolean;
  /** What an earlier page stored in its browser. */
  readonly session?: Exclude<BrowserContextOptions['storageState'], string | undefined>;
  /** A script that runs in the page before the page's own scripts. */
  readonly before?: string;
}

/**
 * Opens a page in Chromium, with an empty profile.
 *
 * @throws {Error} there is no Chromium
 */
export async function openPage(
  url: string,
  { dark = false, session, before }: PageOptions = {},
): Promise<OpenPage> {
  browser ??= await chromium.launch({
    executablePath: chromiumPath(),
    // Chromium's sandbox does not run as root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const colorScheme = dark ? 'dark' : 'light';
  const context = await browser.newContext({
    colorScheme,
    viewport: { width: 1280, height: 800 },
    ...(session && { storageState: session }),
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  if (before !== undefined) await page.addInitScript({ content: before });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    const isProblem = message.type() === 'error' || message.type() === 'warning';
    if (isProblem && !LOST.test(message.text())) problems.push(message.text());
  });
  await page.goto(url);
  return { page, problems, close: () => context.close() };
}

/** What axe finds wrong with a page, such as `color-contrast: .chip`: rules of WCAG 2.2 A and AA. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // The page's policy allows no other scripts, but the browser evaluates this one itself.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as Axe).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => [id, target, failureSummary]),
    );
  });
  return found.map((parts) => parts.join(': '));
}

interface Axe {
  readonly axe: {
    run(
      options: object,
    ): Promise<{ violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[] }>;
  };
}

/** Ends the browser, if a test opened one. */
export async function closeBrowser(): Promise<void> {
  await browser?.close();
  browser = undefined;
}

/**
 * The path of Chromium: `CHROMIUM`, or the first one that the PATH has.
 *
 * @throws {Error} there is no Chromium
 */
export function chromiumPath(): string {
  const { CHROMIUM, PATH = '' } = process.env;
  if (CHROMIUM) return CHROMIUM;
  const paths = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = paths.find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(
    'the tests in a browser need Chromium: install it (apt-get install chromium), or name it in CHROMIUM',
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

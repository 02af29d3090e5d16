import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const pages = globSync('**/*.md', {
  cwd: root,
  exclude: (name) => /(?:^|\/)(?:node_modules|dist|cdk\.out|\.winnow|coverage)(?:$|\/)/.test(name),
}).sort();

/** The targets of a page’s links that have no scheme, outside code. */
function linksOf(page: string): readonly string[] {
  const text = withoutCode(readFileSync(join(root, page), 'utf8'));
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of a page, as GitHub makes them: headings, and elements with an id. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = withoutCode(readFileSync(join(root, page), 'utf8'), '$1');
  const times = new Map<string, number>();
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => {
    const slug = slugOf(heading);
    const before = times.get(slug) ?? 0;
    times.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
  const ids = [...text.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id);
  return new Set([...headings, ...ids]);
}

function withoutCode(text: string, inline = ''): string {
  return text.replace(/^( *)(`{3,})[\s\S]*?^\1\2.*$/gm, '').replace(/`([^`\n]*)`/g, inline);
}

function slugOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** Returns why a link of a page is broken; undefined if it is not. */
function faultOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#', 2);
  const target = path === '' ? page : relative(root, join(root, dirname(page), decodeURI(path)));
  if (!existsSync(join(root, target))) return `${link}: there is no ${target}`;
  const isPage = target.endsWith('.md') && !statSync(join(root, target)).isDirectory();
  if (anchor === undefined || !isPage) return undefined;
  return anchorsOf(target).has(anchor) ? undefined : `${link}: ${target} has no such heading`;
}

describe('Links of the documentation', () => {
  it('The check finds links on the pages', () => {
    expect(pages.length).toBeGreaterThan(30);
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(300);
  });

  it.each(pages)('The links of %s lead to files and headings that exist', (page) => {
    expect(linksOf(page).flatMap((link) => faultOf(page, link) ?? [])).toEqual([]);
  });
});

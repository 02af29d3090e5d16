import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';
import { withMermaid } from 'vitepress-plugin-mermaid';

const docs = fileURLToPath(new URL('..', import.meta.url));
const root = join(docs, '..');

/**
 * The site of the documentation: every Markdown page of the repository but those of tests. `docs/README.md` is the
 * only table of contents: its headings and links are the sidebar.
 */
export default withMermaid({
  title: 'Winnow',
  description: 'Kubernetes-style labels, label selectors, LIST and WATCH as a serverless API on AWS',
  srcDir: '..',
  srcExclude: ['**/node_modules/**', '**/dist/**', 'cdk.out/**'],
  outDir: '../dist/docs',
  cacheDir: '../dist/docs-cache',
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
  // Files and folders that are no pages; test/unit/docs/links.test.ts finds those that are missing.
  ignoreDeadLinks: [/\/examples(?:\/|$)/, /\/LICENSE$/, /\.py$/, /\/plugin\//],
  // Pages outside docs/ import Vue too, which is installed in docs/ only.
  vite: {
    resolve: {
      alias: [
        {
          find: /^vue\/server-renderer$/,
          replacement: join(docs, 'node_modules/vue/server-renderer/index.mjs'),
        },
        { find: /^vue$/, replacement: join(docs, 'node_modules/vue/dist/vue.runtime.esm-bundler.js') },
      ],
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Overview', link: '/' },
      { text: 'Documentation', link: '/docs/' },
      { text: 'Contributing', link: '/CONTRIBUTING' },
    ],
    sidebar: sidebarOf(readFileSync(join(docs, 'README.md'), 'utf8')),
    outline: [2, 3],
  },
});

/** The second-level headings of a page, each with the links below it. */
function sidebarOf(page: string): DefaultTheme.SidebarItem[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [text = ''] = section.split('\n', 1);
      const links = section.matchAll(/\[([^\]]+)\]\(([^)#\s]+\.md)(#[^)]*)?\)/g);
      const items = [...links].map(([, title = '', path = '']) => ({ text: title, link: linkOf(path) }));
      return { text, items, collapsed: false };
    });
}

/** The address of a page on the site, from its path as `docs/README.md` has it. */
function linkOf(path: string): string {
  const page = relative(root, join(docs, path)).replace(/\.md$/, '');
  return `/${page.replace(/README$/, '')}`;
}

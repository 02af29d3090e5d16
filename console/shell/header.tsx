import { useSignal } from '@preact/signals';
import { EXPLORE, navigate, route, type View } from '../route/index.ts';
import { sessionInfo } from '../session/index.ts';
import { Lazy, Menu } from '../widgets/index.ts';
import { applyTheme, type Theme, theme } from './theme.ts';

export const TITLES: Readonly<Record<View, string>> = {
  explore: 'Explore',
  subscriptions: 'Subscriptions',
  tallies: 'Tallies',
  placement: 'Placement',
  reachability: 'Reachability',
};
const PALETTE_KEY = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘K' : 'Ctrl K';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The top of the page: where it is connected to, as which user, and the views. */
export function Header({ open }: { readonly open: (what: 'palette' | 'help') => void }) {
  const { context, server, user, readOnly } = sessionInfo.value;
  const { view, as, namespace } = route.value;
  const seeing = useSignal(false);
  const goTo = (next: View) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    navigate({ ...EXPLORE, view: next, namespace, as, groups: route.value.groups });
  };
  return (
    <header class="top">
      <b>Winnow</b>
      <span title={server}>{context}</span>
      <span class="meta">
        {user === undefined || user === context ? '' : `${user} · `}
        {readOnly || as !== '' ? 'read-only' : 'read and write'}
      </span>
      {as !== '' && (
        <span class="seeing">
          seen as <b>{as}</b>
          <button
            type="button"
            class="icon"
            aria-label="Stop seeing as another user"
            onClick={() => navigate({ as: '', groups: [] })}
          >
            ✕
          </button>
        </span>
      )}
      <nav aria-label="Views">
        {(Object.keys(TITLES) as View[]).map((one) => (
          <a
            key={one}
            href={one === 'explore' ? '/' : `/${one}`}
            aria-current={one === view ? 'page' : undefined}
            onClick={goTo(one)}
          >
            {TITLES[one]}
          </a>
        ))}
      </nav>
      <Menu
        label="⋯"
        name="More"
        items={[
          { text: 'Go to a kind, namespace or view', note: PALETTE_KEY, act: () => open('palette') },
          { text: 'Keys and selectors', note: '?', act: () => open('help') },
          {
            text: 'See as another user',
            act: () => {
              seeing.value = true;
            },
          },
          ...THEMES.map((one) => ({
            text: `Theme: ${one}`,
            note: theme.value === one ? 'now' : '',
            act: () => applyTheme(one),
          })),
        ]}
      />
      <button
        type="button"
        class="palette-key"
        onClick={() => open('palette')}
        aria-label={`${PALETTE_KEY}: go to a kind, namespace or view`}
        title="Go to a kind, namespace or view"
      >
        {PALETTE_KEY}
      </button>
      {seeing.value && (
        <Lazy
          load={() => import('./side-views.ts').then((part) => part.SeeAsDialog)}
          props={{
            close: () => {
              seeing.value = false;
            },
          }}
        />
      )}
    </header>
  );
}

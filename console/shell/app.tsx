import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { findKind, loadKinds } from '../api/index.ts';
import { Explore } from '../explore/index.ts';
import { navigate, parseOpen, route, type View } from '../route/index.ts';
import { sessionPhase } from '../session/index.ts';
import { Lazy, Toasts, useKeys } from '../widgets/index.ts';
import { Gate } from './gate.tsx';
import { Header } from './header.tsx';
import { Help } from './help.tsx';
import { Palette } from './palette.tsx';

/** The views beside Explore, whose program is loaded when the first one is shown. */
const sideViews = () => import('./side-views.ts');
const VIEWS = {
  subscriptions: () => sideViews().then((one) => one.SubscriptionsView),
  tallies: () => sideViews().then((one) => one.TalliesView),
  placement: () => sideViews().then((one) => one.PlacementView),
  reachability: () => sideViews().then((one) => one.ReachabilityView),
};

/** The whole page. */
export function App() {
  const shown = useSignal<'palette' | 'help' | undefined>(undefined);
  const phase = sessionPhase.value;
  const isOpen = phase === 'open';
  useEffect(() => {
    if (isOpen) void loadKinds();
  }, [isOpen]);
  const { open, view } = route.value;
  useKeys({
    'Mod+k': () => {
      shown.value = 'palette';
    },
    '?': () => {
      shown.value = 'help';
    },
    Escape: open === '' ? undefined : () => navigate({ open: '', tab: '' }),
  });
  if (phase === 'opening' || phase === 'closed') return <Gate phase={phase} />;
  const close = () => {
    shown.value = undefined;
  };
  return (
    <div class="app">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header
        open={(what) => {
          shown.value = what;
        }}
      />
      {phase === 'gone' && (
        <p class="banner" role="alert">
          The console's process has ended: run <code>winnow console</code>, or <code>npm start</code>. A
          restarted console prints a new link: open it to go on.
        </p>
      )}
      <main id="main" class={`view ${view}`} tabIndex={-1}>
        <CurrentView view={view} />
      </main>
      <OpenedObject text={open} />
      {shown.value === 'palette' && <Palette close={close} />}
      {shown.value === 'help' && <Help close={close} />}
      <Toasts />
    </div>
  );
}

function CurrentView({ view }: { readonly view: View }) {
  if (view === 'explore') return <Explore />;
  return <Lazy key={view} load={VIEWS[view]} props={{}} />;
}

/** The drawer of the object that the address names. */
function OpenedObject({ text }: { readonly text: string }) {
  const object = parseOpen(text);
  const kind = object === undefined ? undefined : findKind(object.kind);
  if (object === undefined || kind === undefined) return null;
  const { namespace, name } = object;
  return (
    <Lazy
      key={text}
      load={() => import('../object/index.ts').then((one) => one.ObjectDrawer)}
      props={{ kind, namespace, name }}
    />
  );
}

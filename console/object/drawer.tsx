import { useEffect, useRef, useState } from 'preact/hooks';
import { navigate, route } from '../route/index.ts';
import { type KubeObject, whyNoWrites } from '../what-if/index.ts';
import { copyText, Empty, ErrorPanel, Menu, Waiting } from '../widgets/index.ts';
import { commandsFor } from './commands.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { EventsTab } from './events-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import type { Place } from './object-requests.ts';
import { Overview } from './overview.tsx';
import { type FollowedObject, useObject } from './use-object.ts';
import { LostDraft, YamlTab } from './yaml-tab.tsx';

const TABS = { overview: 'Overview', yaml: 'YAML', history: 'History', events: 'Events' } as const;
type Tab = keyof typeof TABS;

/** The drawer of one object, at the right of the page. */
export function ObjectDrawer(place: Place) {
  const { kind, namespace, name } = place;
  const followed = useObject(place);
  const { object, isGone, isOld } = followed;
  const [isDeleting, setDeleting] = useState(false);
  const drawer = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    drawer.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const close = () => navigate({ open: '', tab: '' });
  const why = whyNoWrites(kind.id);
  const copied = commandsFor(place).map(({ text, command }) => ({
    text,
    note: '',
    act: () => void copyText(command, 'the command'),
  }));
  return (
    <section class="drawer" aria-labelledby="drawer-title" tabIndex={-1} ref={drawer}>
      <header>
        <div class="drawer-title">
          <span class="meta">
            {kind.kind}
            {namespace !== '' && <> in {namespace}</>}
            {isOld && <> · reading it again</>}
            {isGone && <b class="leave"> · does not exist</b>}
            {object?.metadata.deletionTimestamp !== undefined && !isGone && (
              <b class="leave"> · is being deleted</b>
            )}
          </span>
          <h2 id="drawer-title" class="mono">
            {name}
          </h2>
        </div>
        <Menu
          label="Copy as"
          class="right"
          items={[...copied, { text: 'link', note: '', act: () => void copyText(location.href, 'the link') }]}
        />
        <button
          type="button"
          disabled={why !== '' || object === undefined || isGone}
          title={why}
          onClick={() => setDeleting(true)}
        >
          Delete
        </button>
        <button type="button" class="icon" aria-label="Close" title="Close (Esc)" onClick={close}>
          ✕
        </button>
      </header>
      <Tabs place={place} followed={followed} />
      {isDeleting && object !== undefined && (
        <DeleteDialog
          place={place}
          object={object}
          close={() => setDeleting(false)}
          deleted={() => {
            setDeleting(false);
            followed.again();
          }}
        />
      )}
    </section>
  );
}

/** The tabs, and the panel of the chosen one. The arrow keys change the tab. */
function Tabs({ place, followed }: { readonly place: Place; readonly followed: FollowedObject }) {
  const all = Object.keys(TABS) as Tab[];
  const { tab, as, groups } = route.value;
  const asked = all.find((one) => one === tab);
  // Of a deleted object, there is only the history.
  const chosen = asked ?? (followed.isGone ? 'history' : 'overview');
  const list = useRef<HTMLDivElement>(null);
  const choose = (next: Tab) =>
    navigate({ tab: next === 'overview' && !followed.isGone ? '' : next }, { replace: true });
  const pressed = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = all[(all.indexOf(chosen) + by + all.length) % all.length];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    choose(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Parts of the object" ref={list}>
        {all.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={one === chosen}
            aria-controls="drawer-panel"
            tabIndex={one === chosen ? 0 : -1}
            onClick={() => choose(one)}
            onKeyDown={pressed}
          >
            {TABS[one]}
          </button>
        ))}
      </div>
      <div
        class="drawer-panel"
        role="tabpanel"
        tabIndex={-1}
        id="drawer-panel"
        aria-labelledby={`tab-${chosen}`}
      >
        <Panel key={JSON.stringify([as, groups])} {...{ place, followed, chosen }} />
      </div>
    </>
  );
}

interface PanelProps {
  readonly place: Place;
  readonly followed: FollowedObject;
  readonly chosen: Tab;
}

function Panel({ place, followed: { object, row, isGone, error, again }, chosen }: PanelProps) {
  const present: KubeObject | undefined = isGone ? undefined : object;
  if (chosen === 'history' && (present !== undefined || isGone)) {
    return <HistoryTab place={place} object={present} changed={again} />;
  }
  if (chosen === 'events' && (present !== undefined || isGone)) {
    return <EventsTab place={place} uid={object?.metadata.uid} />;
  }
  if (isGone && chosen === 'yaml') return <LostDraft place={place} none={<Gone place={place} />} />;
  if (isGone) return <Gone place={place} />;
  if (error !== undefined && present === undefined) return <ErrorPanel error={error} retry={again} />;
  const known = present ?? row;
  if (known !== undefined && chosen === 'overview') {
    return <Overview place={place} object={present} metadata={known.metadata} changed={again} />;
  }
  if (present === undefined) return <Waiting what={`Reading ${place.name}`} />;
  return <YamlTab key={present.metadata.uid} place={place} object={present} changed={again} />;
}

/** What the drawer shows of an object that does not exist. */
function Gone({ place: { kind, name } }: { readonly place: Place }) {
  return (
    <Empty title={`${kind.kind} ${name} does not exist`}>
      <p>It was deleted, or it never existed. Its history shows the last state, and can create it again.</p>
      <button type="button" onClick={() => navigate({ tab: 'history' }, { replace: true })}>
        Look at its history
      </button>
    </Empty>
  );
}

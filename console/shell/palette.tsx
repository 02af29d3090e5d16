import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { findKind, kinds, loadNamespaces, namespaces } from '../api/index.ts';
import { EXPLORE, navigate, route, VIEWS } from '../route/index.ts';
import { sessionInfo } from '../session/index.ts';
import { copyText } from '../widgets/index.ts';
import { TITLES } from './header.tsx';

interface Command {
  readonly text: string;
  readonly note: string;
  readonly act: () => void;
}

/** The most commands that the palette shows. */
const MOST = 12;

/** A field that leads to any kind, namespace or view by a few letters. */
export function Palette({ close }: { readonly close: () => void }) {
  const text = useSignal('');
  const at = useSignal(0);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    void loadNamespaces();
    return () => dialog.current?.close();
  }, []);
  const found = useComputed(() => [
    ...bestOf(commandsOf(namespaces.value), text.value),
    ...objectNamed(text.value.trim()),
  ]);
  const pressed = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) {
      event.preventDefault();
      at.value = (at.value + by + found.value.length) % Math.max(1, found.value.length);
    }
    if (event.key === 'Enter') choose(found.value[at.value]);
  };
  const choose = (command: Command | undefined) => {
    if (command === undefined) return;
    // The focus goes to what the command shows, not to what opened the palette.
    dialog.current?.close();
    close();
    command.act();
    document.querySelector('main')?.focus();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <input
        aria-label="A kind, a namespace or a view"
        placeholder="A kind, a namespace or a view; or the whole name of an object of the shown kind"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-commands"
        aria-activedescendant={`palette-${at.value}`}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={pressed}
      />
      <div role="listbox" id="palette-commands" aria-label="Commands">
        {found.value.map((command, index) => (
          <div
            key={`${command.note}${command.text}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at.value}
            onClick={() => choose(command)}
          >
            <span>{command.text}</span>
            <span class="meta">{command.note}</span>
          </div>
        ))}
      </div>
      {found.value.length === 0 && <p class="meta panel">No kind, namespace or view has this name.</p>}
    </dialog>
  );
}

function commandsOf(namespaces: readonly string[]): Command[] {
  const { namespace, as, groups } = route.value;
  const reading = { as, groups };
  return [
    ...VIEWS.map((view) => ({
      text: TITLES[view],
      note: 'view',
      act: () => navigate({ ...EXPLORE, ...reading, view, namespace }),
    })),
    ...kinds.value.map(({ id, kind }) => ({
      text: id,
      note: kind,
      act: () => navigate({ ...EXPLORE, ...reading, kind: id, namespace }),
    })),
    { text: 'All namespaces', note: 'namespace', act: () => navigate({ namespace: '' }) },
    ...namespaces.map((name) => ({
      text: name,
      note: 'namespace',
      act: () => navigate({ namespace: name }),
    })),
    {
      text: 'Copy the link of this view',
      note: 'action',
      act: () => void copyText(location.href, 'the link'),
    },
    {
      text: 'Copy the URL of Winnow',
      note: 'action',
      act: () => void copyText(sessionInfo.value.server, 'the URL of Winnow'),
    },
  ];
}

/** The way to the objects of the shown kind that have a name. */
function objectNamed(name: string): Command[] {
  const { as, groups, namespace, kind } = route.value;
  if (name === '' || findKind(kind) === undefined) return [];
  const target = { ...EXPLORE, as, groups, namespace, kind, fields: `metadata.name=${name}` };
  return [{ text: name, note: `name in ${kind}`, act: () => navigate(target) }];
}

/** The commands that contain the text, or else its letters in order; the shortest first. */
function bestOf(commands: readonly Command[], text: string): readonly Command[] {
  const wanted = text.toLowerCase().trim();
  if (wanted === '') return commands.slice(0, MOST);
  const letters = new RegExp([...wanted].map((one) => one.replace(/[^a-z0-9]/g, '\\$&')).join('.*'));
  const rank = ({ text: one, note }: Command) => {
    const name = one.toLowerCase();
    if (name.startsWith(wanted)) return name.length;
    if (name.includes(wanted) || note.toLowerCase().startsWith(wanted)) return 1_000 + name.length;
    return letters.test(name) ? 10_000 + name.length : Number.POSITIVE_INFINITY;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((one) => one.rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MOST)
    .map(({ command }) => command);
}

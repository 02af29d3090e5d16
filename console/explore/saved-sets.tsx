import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { KindInfo } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';
import { Dialog, Menu, type MenuItem, toast } from '../widgets/index.ts';

/** A question that the user gave a name. */
interface SavedSet {
  readonly name: string;
  readonly kind: string;
  readonly namespace: string;
  readonly selector: string;
  readonly fields: string;
}

const KEY = 'winnow-saved-sets';

const saved = signal<readonly SavedSet[]>(readSaved());

/** The menu of the questions that the user saved, in this browser. */
export function SavedSets({ kind }: { readonly kind: KindInfo }) {
  const [isNaming, setNaming] = useState(false);
  const { namespace, selector, fields } = route.value;
  const isSame = (one: SavedSet) =>
    one.kind === kind.id && one.selector === selector && one.namespace === namespace;
  const current = saved.value.find(isSame);
  const items: MenuItem[] = [
    ...saved.value.map(({ name, ...set }) => ({
      text: name,
      note: `${set.kind} ${set.selector}`.slice(0, 60),
      act: () => navigate({ ...set, sort: '', keys: [], columns: [], pivot: [], at: '' }),
    })),
    current === undefined
      ? { text: 'Save this selector', act: () => setNaming(true) }
      : { text: `Forget "${current.name}"`, act: () => forget(current) },
  ];
  return (
    <>
      <Menu label={current === undefined ? '☆' : '★'} name="Saved selectors" items={items} class="right" />
      {isNaming && (
        <NameDialog
          suggestion={selector || `all ${kind.plural}`}
          close={() => setNaming(false)}
          save={(name) =>
            write([
              ...saved.value.filter((one) => one.name !== name),
              { name, kind: kind.id, namespace, selector, fields },
            ])
          }
        />
      )}
    </>
  );
}

interface NameDialogProps {
  readonly suggestion: string;
  readonly close: () => void;
  readonly save: (name: string) => void;
}

function NameDialog({ suggestion, close, save }: NameDialogProps) {
  const [name, setName] = useState(suggestion);
  const done = (event: Event) => {
    event.preventDefault();
    if (name.trim() === '') return;
    save(name.trim());
    close();
  };
  return (
    <Dialog
      title="Save this selector"
      close={close}
      actions={
        <button type="submit" form="saved-set" class="primary" disabled={name.trim() === ''}>
          Save
        </button>
      }
    >
      <form id="saved-set" onSubmit={done}>
        <label>
          Name{' '}
          <input
            value={name}
            onFocus={(event) => event.currentTarget.select()}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <p class="meta">It is saved in this browser.</p>
      </form>
    </Dialog>
  );
}

function forget(set: SavedSet): void {
  write(saved.value.filter((one) => one !== set));
  const action = { text: 'Undo', act: () => write([...saved.value, set]) };
  toast(`Forgot "${set.name}"`, { action });
}

function write(sets: readonly SavedSet[]): void {
  saved.value = sets;
  localStorage.setItem(KEY, JSON.stringify(sets));
}

function readSaved(): readonly SavedSet[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((one) => typeof one?.name === 'string' && typeof one?.kind === 'string')
      : [];
  } catch {
    return [];
  }
}

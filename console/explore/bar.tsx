import type { Signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { type KindInfo, kinds, loadNamespaces, namespaces } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';
import { Dialog, Menu } from '../widgets/index.ts';
import { copyItems } from './copy-as.ts';
import { Picker } from './picker.tsx';
import { SavedSets } from './saved-sets.tsx';
import { SelectorInput } from './selector-input.tsx';

/** The question of the view: the kind, the namespace and the selector. */
export function Bar({ kind, draft }: { readonly kind: KindInfo; readonly draft: Signal<string> }) {
  const { namespace, fields } = route.value;
  useEffect(() => void loadNamespaces(), []);
  return (
    <div class="bar">
      <h1 class="visually-hidden">{kind.plural}</h1>
      <Picker
        name="Kind"
        value={kind.id}
        label={kind.id}
        choices={kinds.value.map(({ id, kind: note }) => ({ value: id, text: id, note }))}
        choose={(id) =>
          navigate({
            kind: id,
            selector: '',
            fields: '',
            keys: [],
            columns: [],
            pivot: [],
            sort: '',
            mode: 'table',
          })
        }
      />
      {kind.namespaced && (
        <Picker
          name="Namespace"
          value={namespace}
          label={namespace || 'all namespaces'}
          choices={[
            { value: '', text: 'all namespaces', note: '' },
            ...namespaces.value.map((one) => ({ value: one, text: one, note: '' })),
          ]}
          choose={(one) => navigate({ namespace: one })}
          free="namespace"
        />
      )}
      <SelectorInput kind={kind} draft={draft} />
      <Fields fields={fields} />
      <SavedSets kind={kind} />
      <Menu label="Copy as" items={copyItems(kind, route.value)} class="right" />
    </div>
  );
}

/** The field selector. It is rare, so it has a button instead of a field. */
function Fields({ fields }: { readonly fields: string }) {
  const [text, setText] = useState<string>();
  const done = (event: Event) => {
    event.preventDefault();
    navigate({ fields: text?.trim() ?? '' });
    setText(undefined);
  };
  return (
    <>
      <button
        type="button"
        class={fields === '' ? 'plain' : 'mono'}
        title="A condition on fields, such as status.phase=Running"
        onClick={() => setText(fields)}
      >
        {fields || '+ field'}
      </button>
      {text !== undefined && (
        <Dialog
          title="Condition on fields"
          close={() => setText(undefined)}
          actions={
            <button type="submit" form="field-selector" class="primary">
              Apply
            </button>
          }
        >
          <form id="field-selector" onSubmit={done}>
            <label>
              Field selector{' '}
              <input
                class="mono"
                value={text}
                placeholder="status.phase=Running"
                onInput={(event) => setText(event.currentTarget.value)}
              />
            </label>
            <p class="meta">
              As in <code>kubectl --field-selector</code>: <code>metadata.name=a</code>,{' '}
              <code>status.phase!=Running</code>. An empty text removes the condition.
            </p>
          </form>
        </Dialog>
      )}
    </>
  );
}

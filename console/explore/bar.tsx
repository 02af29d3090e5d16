import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type KindInfo, kinds, loadNamespaces, namespaces } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';
import { Menu } from '../widgets/index.ts';
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
          navigate({ kind: id, selector: '', fields: '', keys: [], pivot: [], sort: '', mode: 'table' })
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
      {fields !== '' && (
        <span class="chip condition" title="A condition on fields">
          {fields}
          <button
            type="button"
            class="icon"
            aria-label="Remove the field selector"
            onClick={() => navigate({ fields: '' })}
          >
            ✕
          </button>
        </span>
      )}
      <SavedSets kind={kind} />
      <Menu label="Copy as" items={copyItems(kind, route.value)} class="right" />
    </div>
  );
}

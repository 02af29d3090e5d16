import type { ComponentChildren } from 'preact';
import { isCustom, kinds, namespaces } from '../api/index.ts';
import { judge } from '../selector/index.ts';
import { Field, SelectorField } from './fields.tsx';

/** What the user typed into the form of a Subscription or a Tally. */
export interface SetDraft {
  readonly name: string;
  readonly namespace: string;
  /** The id of a kind. */
  readonly resource: string;
  readonly everywhere: boolean;
  readonly selector: string;
  readonly fields: string;
}

/** The fields of a set before the user fills them in. */
export function emptySet(namespace: string): SetDraft {
  return {
    name: '',
    namespace: namespace || 'default',
    resource: 'pods',
    everywhere: false,
    selector: '',
    fields: '',
  };
}

interface DraftFieldsProps {
  readonly draft: SetDraft;
  readonly change: (change: Partial<SetDraft>) => void;
  readonly children?: ComponentChildren;
}

/** The fields that define a set. */
export function DraftFields({ draft, change, children }: DraftFieldsProps) {
  const { name, namespace, resource, everywhere, selector, fields } = draft;
  const watched = kinds.value
    .filter(({ verbs }) => verbs.includes('watch'))
    .sort((one, other) => Number(isCustom(other)) - Number(isCustom(one)));
  const of = watched.find(({ id }) => id === resource);
  return (
    <>
      <div class="field-pair">
        <Field label="Name" error={nameError(name)}>
          {(parts) => (
            <input
              {...parts}
              class="mono"
              spellcheck={false}
              autocomplete="off"
              value={name}
              onInput={(event) => change({ name: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Namespace">
          {(parts) => (
            <select
              {...parts}
              value={namespace}
              onChange={(event) => change({ namespace: event.currentTarget.value })}
            >
              {[...new Set([namespace, ...namespaces.value])].map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <div class="field-pair">
        <Field label="Objects">
          {(parts) => (
            <select
              {...parts}
              value={resource}
              onChange={(event) => change({ resource: event.currentTarget.value })}
            >
              {watched.map(({ id }) => (
                <option key={id} value={id}>
                  {id}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="In">
          {(parts) => (
            <select
              {...parts}
              value={everywhere || of?.namespaced === false ? 'All' : 'Own'}
              disabled={of?.namespaced === false}
              onChange={(event) => change({ everywhere: event.currentTarget.value === 'All' })}
            >
              <option value="Own">its own namespace</option>
              <option value="All">all namespaces</option>
            </select>
          )}
        </Field>
      </div>
      <SelectorField value={selector} change={(value) => change({ selector: value })} />
      <Field label="Field selector" hint="Empty for none">
        {(parts) => (
          <input
            {...parts}
            class="mono"
            spellcheck={false}
            autocomplete="off"
            placeholder={resource === 'pods' ? 'Ready=True' : 'metadata.name=…'}
            value={fields}
            onInput={(event) => change({ fields: event.currentTarget.value })}
          />
        )}
      </Field>
      {children}
    </>
  );
}

/** Whether the form can be sent. The server checks the rest. */
export function isSendable({ name, selector }: SetDraft): boolean {
  return name !== '' && nameError(name) === undefined && 'selector' in judge(selector);
}

/** The part of a spec that defines the drafted set. */
export function specOf({ resource, everywhere, selector, fields }: SetDraft): object {
  const kind = kinds.value.find(({ id }) => id === resource);
  return {
    resource: { group: kind?.group || undefined, resource: kind?.plural ?? resource },
    namespaces: everywhere || kind?.namespaced === false ? 'All' : undefined,
    labelSelector: selector.trim() || undefined,
    fieldSelector: fields.trim() || undefined,
  };
}

function nameError(name: string): string | undefined {
  const isName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name);
  return name === '' || isName ? undefined : 'Use lower case letters, digits, - and .';
}

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { judge } from '../selector/index.ts';

interface FieldProps {
  readonly label: string;
  /** What the value means, or what to write. */
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly children: (parts: {
    readonly id: string;
    readonly 'aria-describedby': string;
  }) => ComponentChildren;
}

/** A field of a form, with its label above and a hint or an error below. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-hint` })}
      <span
        id={`${id}-hint`}
        class={error === undefined ? 'meta' : 'field-error'}
        role={error === undefined ? undefined : 'alert'}
      >
        {error ?? hint}
      </span>
    </div>
  );
}

interface SelectorFieldProps {
  readonly value: string;
  readonly change: (value: string) => void;
}

/** The field of a label selector, with what is wrong with it. */
export function SelectorField({ value, change }: SelectorFieldProps) {
  const verdict = judge(value);
  return (
    <Field
      label="Label selector"
      hint="Empty for every object"
      error={'message' in verdict ? verdict.message : undefined}
    >
      {(parts) => (
        <input
          {...parts}
          class="mono"
          spellcheck={false}
          autocomplete="off"
          placeholder="tier=frontend,environment in (production,qa)"
          value={value}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

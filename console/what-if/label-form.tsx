import { useEffect, useId, useRef } from 'preact/hooks';
import { type ChangeLine, EMPTY_LINE, lineError } from './label-change.ts';

interface LabelFormProps {
  readonly lines: readonly ChangeLine[];
  readonly change: (lines: readonly ChangeLine[]) => void;
  /** Label keys with their values, which the fields suggest. */
  readonly known: ReadonlyMap<string, ReadonlySet<string>>;
  readonly disabled?: boolean;
}

/** The most suggestions of a field. */
const MOST = 50;

/** A form of lines, each of which sets or removes a label. */
export function LabelForm({ lines, change, known, disabled = false }: LabelFormProps) {
  const id = useId();
  const root = useRef<HTMLFieldSetElement>(null);
  const focusKey = () =>
    [...(root.current?.querySelectorAll<HTMLElement>('.line-key') ?? [])].at(-1)?.focus();
  const focusValue = (at: number) => root.current?.querySelectorAll<HTMLElement>('.line-value')[at]?.focus();
  useEffect(focusKey, []);
  const put = (at: number, part: Partial<ChangeLine>) =>
    change(lines.map((line, index) => (index === at ? { ...line, ...part } : line)));
  const add = () => {
    change([...lines, EMPTY_LINE]);
    requestAnimationFrame(focusKey);
  };
  return (
    <fieldset class="label-form" ref={root} disabled={disabled}>
      <legend class="visually-hidden">Changes of labels</legend>
      {lines.map((line, at) => {
        const { action, key, value } = line;
        const error = lineError(line, lines);
        const isWrongValue = error.startsWith('Value');
        const described = error === '' ? undefined : `${id}-error-${at}`;
        const number = lines.length === 1 ? '' : ` ${at + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name, and lines keep their order
          <div class="label-line" key={at}>
            <select
              aria-label={`Action${number}`}
              value={action}
              onChange={(event) => {
                const chosen = event.currentTarget.value === 'remove' ? 'remove' : 'set';
                put(at, { action: chosen, value: chosen === 'remove' ? '' : value });
              }}
            >
              <option value="set">Set</option>
              <option value="remove">Remove</option>
            </select>
            <input
              class="line-key mono"
              aria-label={`Key${number}`}
              placeholder="key"
              autocomplete="off"
              spellcheck={false}
              list={`${id}-keys`}
              value={key}
              aria-invalid={error !== '' && !isWrongValue}
              aria-describedby={described}
              onInput={(event) => {
                const text = event.currentTarget.value.trim();
                put(at, keyAndValue(text, action));
                // The user goes on with the value.
                if (text.includes('=')) focusValue(at);
              }}
            />
            <span aria-hidden="true" class={action === 'set' ? 'mono' : 'mono absent'}>
              =
            </span>
            <input
              class={action === 'set' ? 'line-value mono' : 'line-value mono absent'}
              aria-label={`Value${number}`}
              placeholder="value"
              autocomplete="off"
              spellcheck={false}
              disabled={action === 'remove'}
              aria-invalid={isWrongValue}
              aria-describedby={described}
              list={`${id}-values-${at}`}
              value={value}
              onInput={(event) => put(at, { value: event.currentTarget.value.trim() })}
            />
            <datalist id={`${id}-values-${at}`}>
              {[...(known.get(key) ?? [])].slice(0, MOST).map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
            <button
              type="button"
              class="icon"
              aria-label={`Remove the line${number}`}
              disabled={lines.length === 1}
              onClick={() => change(lines.filter((_, index) => index !== at))}
            >
              ✕
            </button>
            {error !== '' && (
              <p class="line-error" id={`${id}-error-${at}`}>
                {error}
              </p>
            )}
          </div>
        );
      })}
      <datalist id={`${id}-keys`}>
        {[...known.keys()].slice(0, MOST).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <button type="button" class="link" onClick={add}>
        + another label
      </button>
    </fieldset>
  );
}

/** Reads `key=value`, as kubectl takes it, from the field of the key. */
function keyAndValue(text: string, action: ChangeLine['action']): Partial<ChangeLine> {
  const at = text.indexOf('=');
  if (at === -1 || action === 'remove') return { key: text };
  return { key: text.slice(0, at), value: text.slice(at + 1) };
}

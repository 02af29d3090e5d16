import type { Signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { KindInfo } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';
import { type Choice, type Completion, complete, completionAt, judge, pieces } from '../selector/index.ts';
import { useKeys } from '../shell/keys.ts';
import { choicesFor } from './vocabulary.ts';

/** The field of the selector. It colors keys and operators, completes, and marks the place of an error. */
export function SelectorInput({ kind, draft }: { readonly kind: KindInfo; readonly draft: Signal<string> }) {
  const field = useRef<HTMLInputElement>(null);
  const mirror = useRef<HTMLDivElement>(null);
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  const [at, setAt] = useState(-1);
  const asked = useRef<Completion>(undefined);
  const text = draft.value;
  const verdict = judge(text);
  const wrong = 'message' in verdict ? verdict : undefined;
  const { namespace, selector } = route.value;

  useKeys({
    '/': () => {
      field.current?.focus();
      field.current?.select();
    },
  });
  // The mirror scrolls along with the field.
  useEffect(() => {
    if (field.current && mirror.current) mirror.current.scrollLeft = field.current.scrollLeft;
  });

  const offer = async () => {
    const element = field.current;
    if (element === null) return;
    const completion = completionAt(element.value, element.selectionStart ?? 0);
    asked.current = completion;
    const found = await choicesFor({ kind, namespace, completion, text: element.value });
    if (asked.current !== completion || document.activeElement !== element) return;
    setChoices(found);
    setAt(-1);
  };
  const close = () => {
    asked.current = undefined;
    setChoices([]);
    setAt(-1);
  };
  const take = (choice: Choice | undefined) => {
    const element = field.current;
    const completion = asked.current;
    if (choice === undefined || completion === undefined || element === null) return;
    const next = complete(text, completion, choice.text);
    draft.value = next.text;
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(next.cursor, next.cursor);
      void offer();
    });
  };
  const submit = () => {
    close();
    if (wrong === undefined) navigate({ selector: text.trim() });
  };
  const pressed = (event: KeyboardEvent) => {
    const isOpen = choices.length > 0;
    if (event.key === 'Enter') {
      if (isOpen && at >= 0) take(choices[at]);
      else submit();
    } else if (event.key === 'Tab' && isOpen && !event.shiftKey) take(choices[Math.max(0, at)]);
    else if (event.key === 'ArrowDown' && isOpen) setAt((at + 1) % choices.length);
    else if (event.key === 'ArrowUp' && isOpen) setAt((at - 1 + choices.length) % choices.length);
    else if (event.key === 'ArrowDown') void offer();
    else if (event.key === 'Escape') {
      if (isOpen) close();
      else if (text !== selector) draft.value = selector;
      else field.current?.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="selector">
      <div class="selector-mirror" ref={mirror} aria-hidden="true">
        {pieces(text).map(({ kind: what, text: piece, at: from }) => (
          <span key={from} class={isIn(wrong, from, piece) ? `${what} wrong` : what}>
            {piece}
          </span>
        ))}
        {wrong !== undefined && wrong.from === wrong.to && <span class="wrong"> </span>}
      </div>
      <input
        ref={field}
        value={text}
        role="combobox"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        aria-label="Label selector"
        aria-expanded={choices.length > 0}
        aria-controls="selector-choices"
        aria-activedescendant={at >= 0 ? `selector-choice-${at}` : undefined}
        aria-invalid={wrong !== undefined}
        aria-describedby={wrong === undefined ? undefined : 'selector-error'}
        placeholder="every object: type a selector, such as tier=frontend,environment in (production,qa)"
        onInput={(event) => {
          draft.value = event.currentTarget.value;
          void offer();
        }}
        onFocus={() => void offer()}
        onClick={() => void offer()}
        onBlur={close}
        onScroll={(event) => {
          if (mirror.current) mirror.current.scrollLeft = event.currentTarget.scrollLeft;
        }}
        onKeyDown={pressed}
      />
      {text !== selector && wrong === undefined && (
        <button type="button" class="run" onPointerDown={(event) => event.preventDefault()} onClick={submit}>
          Enter ↵
        </button>
      )}
      {wrong !== undefined && (
        <p id="selector-error" class="selector-error" role="alert">
          {wrong.message}
        </p>
      )}
      {choices.length > 0 && wrong?.to !== -1 && (
        <div role="listbox" id="selector-choices" class="choices" aria-label="Completions">
          {choices.map(({ text: choice, count }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field above has the focus
            <div
              key={choice}
              id={`selector-choice-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(choices[index])}
            >
              <span>{choice.trim() || '(the empty value)'}</span>
              <span class="meta">{count?.toLocaleString('en')}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function isIn(wrong: { from: number; to: number } | undefined, at: number, text: string): boolean {
  return wrong !== undefined && at < wrong.to && at + text.length > wrong.from;
}

import type { Signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { KindInfo } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';
import { type Choice, type Completion, complete, completionAt, judge, pieces } from '../selector/index.ts';
import { useKeys } from '../widgets/index.ts';
import { choicesFor } from './vocabulary.ts';

/** The field of the selector. It colors keys and operators, completes, and marks the place of an error. */
export function SelectorInput({ kind, draft }: { readonly kind: KindInfo; readonly draft: Signal<string> }) {
  const field = useRef<HTMLInputElement>(null);
  const [isFocused, setFocused] = useState(false);
  const [isSubmitted, setSubmitted] = useState(false);
  const text = draft.value;
  const verdict = judge(text);
  const wrong = 'message' in verdict ? verdict : undefined;
  // While the user types, the end of the text is unfinished and not wrong.
  const isUnfinished = isFocused && !isSubmitted && wrong !== undefined && wrong.to >= text.trimEnd().length;
  const told = isUnfinished ? undefined : wrong;
  const { selector } = route.value;
  const completing = useCompletion(kind, draft, field);
  useKeys({
    '/': () => {
      field.current?.focus();
      field.current?.select();
    },
  });
  const submit = () => {
    completing.close();
    setSubmitted(true);
    if (wrong === undefined) navigate({ selector: text.trim() });
  };
  const reset = () => {
    if (text === selector) field.current?.blur();
    draft.value = selector;
  };
  const pressed = (event: KeyboardEvent) => {
    if (!completing.pressed(event.key, event.shiftKey)) {
      if (event.key === 'Enter') {
        submit();
      } else if (event.key === 'Escape') {
        reset();
      } else {
        return;
      }
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const isOpen = completing.choices.length > 0;
  return (
    <div class="selector">
      <Mirror text={text} field={field} wrong={told} />
      <input
        ref={field}
        value={text}
        role="combobox"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        aria-label="Label selector"
        aria-expanded={isOpen}
        aria-controls="selector-choices"
        aria-activedescendant={completing.at >= 0 ? `selector-choice-${completing.at}` : undefined}
        aria-invalid={told !== undefined}
        aria-describedby={told === undefined ? undefined : 'selector-error'}
        placeholder="every object: type a selector, such as tier=frontend,environment in (production,qa)"
        onInput={(event) => {
          draft.value = event.currentTarget.value;
          setSubmitted(false);
          void completing.offer();
        }}
        onFocus={() => {
          setFocused(true);
          void completing.offer();
        }}
        onClick={() => void completing.offer()}
        onBlur={() => {
          setFocused(false);
          completing.close();
        }}
        onKeyDown={pressed}
      />
      {text !== selector && wrong === undefined && (
        <button type="button" class="run" onPointerDown={(event) => event.preventDefault()} onClick={submit}>
          Enter ↵
        </button>
      )}
      <div class={isOpen || told !== undefined ? 'choices' : ''}>
        <Choices {...completing} />
        {told !== undefined && (
          <p id="selector-error" class="selector-error" role="alert">
            {told.message}
          </p>
        )}
      </div>
    </div>
  );
}

interface MirrorProps {
  readonly text: string;
  readonly field: { readonly current: HTMLInputElement | null };
  readonly wrong: { readonly from: number; readonly to: number } | undefined;
}

/** The colored text under the transparent text of the field. It scrolls along with it. */
function Mirror({ text, field, wrong }: MirrorProps) {
  const mirror = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another text moves it; to read where a field stands is dear
  useEffect(() => {
    const input = field.current;
    if (input === null) return undefined;
    const follow = () => {
      if (mirror.current !== null) mirror.current.scrollLeft = input.scrollLeft;
    };
    follow();
    input.addEventListener('scroll', follow);
    return () => input.removeEventListener('scroll', follow);
  }, [text, field]);
  const isWrong = (at: number, piece: string) =>
    wrong !== undefined && at < wrong.to && at + piece.length > wrong.from;
  return (
    <div class="selector-mirror" ref={mirror} aria-hidden="true">
      {pieces(text).map(({ kind, text: piece, at }) => (
        <span key={at} class={isWrong(at, piece) ? `${kind} wrong` : kind}>
          {piece}
        </span>
      ))}
      {wrong !== undefined && wrong.from === wrong.to && <span class="wrong end"> </span>}
    </div>
  );
}

interface Completing {
  readonly choices: readonly Choice[];
  /** The choice that the keys point at; -1 without one. */
  readonly at: number;
  /** Looks for choices at the cursor. */
  readonly offer: () => Promise<void>;
  readonly close: () => void;
  readonly take: (choice: Choice | undefined) => void;
  /** Handles a key. Returns whether it was for the choices. */
  readonly pressed: (key: string, hasShift: boolean) => boolean;
}

/** The choices at the cursor of the field. */
function useCompletion(
  kind: KindInfo,
  draft: Signal<string>,
  field: { readonly current: HTMLInputElement | null },
): Completing {
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  const [at, setAt] = useState(-1);
  const asked = useRef<Completion>(undefined);
  const offer = async () => {
    const input = field.current;
    if (input === null) return;
    const completion = completionAt(input.value, input.selectionStart ?? 0);
    asked.current = completion;
    const { namespace } = route.value;
    const found = await choicesFor({ kind, namespace, completion, text: input.value });
    // The user may have gone on.
    if (asked.current !== completion || document.activeElement !== input) return;
    setChoices(found);
    setAt(-1);
  };
  const close = () => {
    asked.current = undefined;
    setChoices([]);
    setAt(-1);
  };
  const take = (choice: Choice | undefined) => {
    const [input, completion] = [field.current, asked.current];
    if (choice === undefined || completion === undefined || input === null) return;
    const next = complete(draft.value, completion, choice.text);
    draft.value = next.text;
    requestAnimationFrame(() => {
      input.focus();
      input.setSelectionRange(next.cursor, next.cursor);
      void offer();
    });
  };
  const move = (by: number) => setAt((at + by + choices.length) % choices.length);
  const pressed = (key: string, hasShift: boolean) => {
    if (choices.length === 0) {
      if (key !== 'ArrowDown') return false;
      void offer();
      return true;
    }
    if (key === 'ArrowDown') {
      move(1);
    } else if (key === 'ArrowUp') {
      move(at === -1 ? 0 : -1);
    } else if (key === 'Tab' && !hasShift && draft.value !== '') {
      take(choices[Math.max(0, at)]);
    } else if (key === 'Enter' && at >= 0) {
      take(choices[at]);
    } else if (key === 'Escape') {
      close();
    } else {
      return false;
    }
    return true;
  };
  return { choices, at, offer, close, take, pressed };
}

function Choices({ choices, at, take }: Completing) {
  return (
    <div role="listbox" id="selector-choices" aria-label="Completions">
      {choices.map((choice, index) => (
        <div
          key={choice.text}
          id={`selector-choice-${index}`}
          role="option"
          aria-selected={index === at}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(choice)}
        >
          <span>{choice.text.trim()}</span>
          <span class="meta">{choice.count?.toLocaleString('en')}</span>
        </div>
      ))}
    </div>
  );
}

import {
  cursorDocEnd,
  cursorDocStart,
  cursorLineBoundaryBackward,
  cursorPageDown,
  cursorPageUp,
  history,
  historyKeymap,
  insertNewlineKeepIndent,
  moveLineDown,
  moveLineUp,
  selectAll,
  selectDocEnd,
  selectDocStart,
  selectLineBoundaryBackward,
  selectPageDown,
  selectPageUp,
} from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  highlightActiveLine,
  type KeyBinding,
  keymap,
  lineNumbers,
  ViewPlugin,
} from '@codemirror/view';
import { KEY_OF_LINE } from './yaml-text.ts';

/** An editor of YAML on the page. */
export interface YamlEditor {
  focus(): void;
  destroy(): void;
}

interface EditorOptions {
  readonly text: string;
  /** The name for screen readers. */
  readonly label: string;
  readonly changed: (text: string) => void;
  /** Called for Ctrl or Command with S. */
  readonly save: () => void;
}

const LOOK = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--bg)', color: 'var(--text)', fontSize: '12.5px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.yaml-key': { color: 'var(--accent)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: '0' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--text) 4%, transparent)' },
  '.cm-line::selection, .cm-line ::selection': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 24%, transparent)',
  },
});

/** Colors the key of each line in the view. CodeMirror's grammar of YAML would color values, too, for 30 KB of script. */
const COLORED_KEYS = ViewPlugin.define(
  (view) => ({
    marks: keysOf(view),
    update({ view: now, docChanged, viewportChanged }) {
      if (docChanged || viewportChanged) this.marks = keysOf(now);
    },
  }),
  { decorations: ({ marks }) => marks },
);

function keysOf({ state, viewportLineBlocks }: EditorView) {
  return Decoration.set(
    viewportLineBlocks.flatMap(({ from, to }) => {
      const [, before = '', key] = KEY_OF_LINE.exec(state.sliceDoc(from, to)) ?? [];
      const at = from + before.length;
      return key === undefined ? [] : Decoration.mark({ class: 'yaml-key' }).range(at, at + key.length);
    }),
  );
}

/**
 * The keys that the browser does not give an editor whose hidden lines are not in the document. CodeMirror's default keys
 * would load its grammars.
 */
const EDITING: readonly KeyBinding[] = [
  { key: 'Enter', run: insertNewlineKeepIndent },
  { key: 'Mod-a', run: selectAll },
  {
    key: 'Home',
    mac: 'Cmd-ArrowLeft',
    run: cursorLineBoundaryBackward,
    shift: selectLineBoundaryBackward,
  },
  { key: 'Mod-Home', mac: 'Cmd-ArrowUp', run: cursorDocStart, shift: selectDocStart },
  { key: 'Mod-End', mac: 'Cmd-ArrowDown', run: cursorDocEnd, shift: selectDocEnd },
  { key: 'PageUp', run: cursorPageUp, shift: selectPageUp },
  { key: 'PageDown', run: cursorPageDown, shift: selectPageDown },
  { key: 'Alt-ArrowUp', run: moveLineUp },
  { key: 'Alt-ArrowDown', run: moveLineDown },
];

/**
 * Opens an editor inside a shadow root of an element. CodeMirror adopts its style sheets there; in the document it would
 * add a `<style>`, which the page's policy forbids.
 */
export function openYamlEditor(
  place: HTMLElement,
  { text, label, changed, save }: EditorOptions,
): YamlEditor {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        highlightActiveLine(),
        COLORED_KEYS,
        LOOK,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
        keymap.of([
          {
            key: 'Mod-s',
            run: () => {
              save();
              return true;
            },
          },
          ...EDITING,
          ...historyKeymap,
        ]),
      ],
    }),
  });
  return view;
}

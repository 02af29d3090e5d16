import { render } from 'preact';
import { startRouting } from './route/index.ts';
import { openSession } from './session/index.ts';
import { App, applyTheme, theme } from './shell/index.ts';
import { keepFocus } from './widgets/index.ts';

applyTheme(theme.value);
keepFocus();
startRouting();
void openSession();
// A new link in a tab that is open changes only the fragment of the address.
addEventListener('hashchange', () => void openSession());
const root = document.getElementById('root');
if (root !== null) render(<App />, root);

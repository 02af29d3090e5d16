import { render } from 'preact';
import { startRouting } from './route/index.ts';
import { openSession } from './session/index.ts';
import { App } from './shell/index.ts';
import { applyTheme, theme } from './shell/theme.ts';

applyTheme(theme.value);
startRouting();
void openSession();
const root = document.getElementById('root');
if (root !== null) render(<App />, root);

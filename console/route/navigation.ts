import { type ReadonlySignal, signal } from '@preact/signals';
import { EXPLORE, parseRoute, type Route, routeUrl } from './route.ts';

/**
 * The longest address, in characters. A server refuses more than 16 KB of headers. A longer route, with a pasted object, is
 * kept by the browser beside the address: a reload reproduces it, but a link does not.
 */
const LONGEST = 8_000;

const current = signal<Route>(EXPLORE);

/** The route of the page's address. */
export const route: ReadonlySignal<Route> = current;

/** Follows the address of the page: the buttons "back" and "forward" too. */
export function startRouting(): void {
  const read = () => {
    current.value = (history.state as Route | null) ?? parseRoute(location.pathname, location.search);
  };
  addEventListener('popstate', read);
  read();
}

/** Changes parts of the route. `replace` changes the newest entry of the history instead of adding one. */
export function navigate(change: Partial<Route>, { replace = false } = {}): void {
  const next = { ...current.value, ...change };
  const url = routeUrl(next);
  if (url === routeUrl(current.value)) return;
  const isLong = url.length > LONGEST;
  const entry = [isLong ? next : null, '', isLong ? routeUrl({ ...next, selector: '' }) : url] as const;
  if (replace) {
    history.replaceState(...entry);
  } else {
    history.pushState(...entry);
  }
  current.value = next;
}

/** What the address of the page says: which view, which set, which object. */
export { navigate, route, startRouting } from './navigation.ts';
export {
  EXPLORE,
  type OpenObject,
  openText,
  parseOpen,
  parseRoute,
  type Route,
  routeUrl,
  VIEWS,
  type View,
} from './route.ts';

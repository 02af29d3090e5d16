/** The view of a set: what a selector means now, and what enters, changes and leaves. */
export { Explore } from './explore.tsx';

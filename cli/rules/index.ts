/** `winnow rules`: the rules that decide about writes, and a trial of new ones on stored objects. */
export { addRules } from './command.ts';

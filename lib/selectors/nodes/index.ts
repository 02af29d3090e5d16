export {
  fromNodeSelector,
  type NodeSelector,
  type NodeSelectorReading,
  type NodeSelectorTerm,
  type NodeView,
  readNodeSelector,
} from './node-selector.ts';
export { validateNodeSelector, validateNodeTerm } from './validate-node-selector.ts';

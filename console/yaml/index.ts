/** Objects as YAML. Importers load it on demand, because the parser is large. */
export { readYaml, yamlOf } from './yaml.ts';

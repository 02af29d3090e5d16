/** Objects as YAML. Only parts that are loaded on demand import it, because the parser is large. */
export { readYaml, yamlOf } from './yaml.ts';

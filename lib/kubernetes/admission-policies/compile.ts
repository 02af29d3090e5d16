import {
  type Checked,
  compile,
  type Environment,
  ExpressionError,
  type Program,
  ProgramError,
  type Regexes,
  type Type,
  types,
} from '../../cel/index.ts';
import { PatternWorkError } from '../schemas/patterns.ts';

/** The types that the value of an expression may have, as Go prints them: `bool`, `null_type`; undefined for any. */
export type Returns = readonly string[] | undefined;

/** A compiled expression, or why it does not compile, in kube-apiserver's words. */
export type Compiled = { readonly program: Program; readonly type: Type } | { readonly error: string };

interface Compilation {
  readonly environment: Environment;
  readonly regexes: Regexes;
  readonly returns: Returns;
  /** Parses the text and checks its types. @throws {ExpressionError} */
  readonly check: (text: string) => Checked;
}

/** Compiles an expression, as CompileCELExpression of k8s.io/apiserver/pkg/admission/plugin/cel does. */
export function compileExpression(
  text: string,
  { environment, regexes, returns, check }: Compilation,
): Compiled {
  try {
    const checked = check(text);
    const { type } = checked;
    const isReturnable = returns?.includes(typeText(type)) ?? true;
    if (!isReturnable) return { error: wrongType(returns ?? [], type) };
    return { program: compile(checked, { ...environment, regexes }), type };
  } catch (error) {
    if (error instanceof ExpressionError) return { error: `compilation failed: ${error.message}` };
    if (error instanceof ProgramError || error instanceof PatternWorkError) {
      return { error: `program instantiation failed: ${error.message}` };
    }
    throw error;
  }
}

function wrongType(returns: NonNullable<Returns>, type: Type): string {
  const expected = returns.length === 1 ? returns[0] : `one of [${returns.join(' ')}]`;
  return `must evaluate to ${expected} but got ${typeText(type)}`;
}

/** Returns a type as Go prints it. */
function typeText({ name, parameters }: Type): string {
  return parameters.length === 0 ? name : `${name}(${parameters.map(typeText).join(', ')})`;
}

/** Returns the type of an expression; dynamic for one that does not compile. */
export function typeOfCompiled(compiled: Compiled): Type {
  return 'error' in compiled ? types.DYN : compiled.type;
}

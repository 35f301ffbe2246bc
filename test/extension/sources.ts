import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './manifest.js';

const FOLDER = join(ROOT, 'src', 'extension');

/** The sources of the extension. They import `vscode`, which is in an editor alone: they are read, not loaded. */
export const sources: readonly ts.SourceFile[] = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort()
  .map((name) =>
    ts.createSourceFile(
      name.replaceAll('\\', '/'),
      readFileSync(join(FOLDER, name), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    ),
  );

/** All but the file that only lists names. */
export const code: string = sources
  .filter(({ fileName }) => fileName !== 'contributions.ts')
  .map(({ text }) => text)
  .join('\n');

/** Every node of a kind below this one, itself included. */
export function nodesOf<Found extends ts.Node>(node: ts.Node, is: (node: ts.Node) => node is Found): Found[] {
  const found: Found[] = is(node) ? [node] : [];
  ts.forEachChild(node, (child) => {
    found.push(...nodesOf(child, is));
  });
  return found;
}

/** The string literals below a node. */
export function literalsOf(node: ts.Node): string[] {
  return nodesOf(node, ts.isStringLiteral).map(({ text }) => text);
}

type Act = ts.FunctionDeclaration | ts.ArrowFunction;

/** What a command does, by name of the command: a function of some file, or one written into the table. */
export function actOf(command: string): Act {
  const table = sources
    .flatMap((file) => nodesOf(file, ts.isVariableDeclaration))
    .find(({ name }) => name.getText() === 'ACTS')?.initializer;
  const entries = table && ts.isObjectLiteralExpression(table) ? table.properties : [];
  const entry = entries.find((one) => one.name?.getText() === command);
  const value = entry && ts.isPropertyAssignment(entry) ? entry.initializer : entry?.name;
  const act = value && ts.isIdentifier(value) ? functionNamed(value.text, value.getSourceFile()) : value;
  if (act && (ts.isFunctionDeclaration(act) || ts.isArrowFunction(act))) return act;
  throw new Error(`nothing is registered for ${command}`);
}

/** The words of every call that a function makes, by itself or through functions of the extension. */
export function callsOf(act: Act, seen = new Set<Act>()): ts.CallExpression[] {
  if (seen.has(act)) return [];
  seen.add(act);
  const calls = nodesOf(act, ts.isCallExpression);
  const below = calls.flatMap(({ expression }) => {
    const called = ts.isIdentifier(expression) && functionNamed(expression.text, act.getSourceFile());
    return called ? callsOf(called, seen) : [];
  });
  return [...calls, ...below];
}

/** The last name of what is called, e.g. `showQuickPick`. */
export function calledName({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

/** True where a function demands trust before anything else, and not only in some case. */
export function demandsTrust({ body }: Act): boolean {
  const [first] = body && ts.isBlock(body) ? body.statements : [];
  return first !== undefined && first.getText() === 'requireTrust();';
}

function functionNamed(name: string, near: ts.SourceFile): ts.FunctionDeclaration | undefined {
  const inFile = (file: ts.SourceFile) =>
    file.statements.filter(ts.isFunctionDeclaration).find((one) => one.name?.text === name);
  return inFile(near) ?? sources.filter((file) => imports(near, file, name)).map(inFile)[0];
}

function imports(near: ts.SourceFile, file: ts.SourceFile, name: string): boolean {
  const module = `/${file.fileName.split('/').at(-1)?.replace(/\.ts$/, '.js') ?? ''}`;
  return near.statements
    .filter(ts.isImportDeclaration)
    .some(
      ({ moduleSpecifier, importClause }) =>
        moduleSpecifier.getText().slice(1, -1).endsWith(module) &&
        importClause !== undefined &&
        nodesOf(importClause, ts.isImportSpecifier).some((one) => one.name.text === name),
    );
}

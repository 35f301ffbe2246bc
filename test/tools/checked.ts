import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { adminTools } from '../../src/tools/adminTools.js';
import { CALLER, textOf, type ToolBench } from './fixture.js';

const ajv = new Ajv2020({ strict: false });

/** Calls a tool of the sidebar and holds what goes in and comes out against its schemas; says what it was. */
export async function check(bench: ToolBench, name: string, args: Record<string, unknown> = {}) {
  const tool = adminTools.find((one) => one.name === name);
  const schemas = bench.dispatcher.list(CALLER).find((one) => one.name === name);
  assert.ok(tool && schemas?.outputSchema, name);
  assert.ok(ajv.validate(schemas.inputSchema, args), `${name}: ${ajv.errorsText()}`);
  const result = await bench.call(name, args);
  assert.equal(result.isError, undefined, textOf(result));
  const structured = result.structuredContent ?? assert.fail(`${name} has no structured result`);
  assert.deepEqual(JSON.parse(textOf(result)), structured, 'the text is the same JSON');
  assert.deepEqual(tool.output.strict().parse(structured), structured, 'no field the schema does not know');
  assert.ok(ajv.validate(schemas.outputSchema, structured), `${name}: ${ajv.errorsText()}`);
  return structured;
}

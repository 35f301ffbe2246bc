import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  globalIgnores(['dist/', 'media/']),
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Numbers in sentences are the normal case here.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    // Every process built from src owns a stdout that carries protocol: one stray line breaks the client.
    files: ['src/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'globalThis', property: 'console', message: 'stdout carries protocol.' },
        {
          object: 'process',
          property: 'stdout',
          message: 'Only the server entry and the transport own stdout.',
        },
      ],
    },
  },
  {
    // The editor's interface names classes where it takes any object of that shape.
    files: ['src/extension/**/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-class-instance-assignment': 'off' },
  },
  {
    // What owns it.
    files: ['src/server/main.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // Time and chance are handed in here, so that behaviour is repeatable and replay exact.
    files: ['src/core/**/*.ts', 'src/search/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', 'Date', 'performance', 'crypto'],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random' }, { object: 'globalThis' }],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // node:test returns promises that the runner itself awaits.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', name: ['test', 'it', 'describe', 'suite'], package: 'node:test' },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', performance: 'readonly' },
    },
  },
);

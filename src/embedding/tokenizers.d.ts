/**
 * The part of the package's tokenizer module that is used here. It is imported directly, because the package's
 * main module brings every model class and the image code along.
 */
declare module '@xenova/transformers/src/tokenizers.js' {
  export class PreTrainedTokenizer {
    /** Takes the parsed `tokenizer.json` and `tokenizer_config.json`. */
    constructor(tokenizer: unknown, config: unknown);

    encode(text: string, textPair?: null, options?: { add_special_tokens?: boolean }): number[];
  }
}

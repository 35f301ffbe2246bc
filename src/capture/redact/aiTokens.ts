import { isToken, isUnlikeName } from './placeholders.js';
import type { Rule } from './rule.js';
import { token } from './rule.js';

/** Models and what is built around them. */
export const aiTokens: readonly Rule[] = [
  token('anthropic_key', ['sk-ant-'], '[A-Za-z0-9_-]{12,}', isToken),
  token('openai_key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'], '[A-Za-z0-9_-]{12,}', isToken),
  token('openrouter_key', ['sk-or-'], '[A-Za-z0-9_-]{20,}', isUnlikeName),
  // Also DeepSeek, Langfuse, LiteLLM and whoever took the prefix over. Style classes begin with it, too.
  token('sk_key', ['sk-'], '(?!ant-|proj-|svcacct-|admin-|or-)[A-Za-z0-9_-]{12,}', isUnlikeName),
  token('huggingface_token', ['hf_', 'api_org_'], '[A-Za-z0-9]{30,}', isToken),
  token('groq_key', ['gsk_'], '[A-Za-z0-9]{32,}', isToken),
  token('xai_key', ['xai-'], '[A-Za-z0-9]{32,}', isToken),
  token('perplexity_key', ['pplx-'], '[A-Za-z0-9]{32,}', isToken),
  token('replicate_token', ['r8_'], '[A-Za-z0-9]{30,}', isToken),
  token('fireworks_key', ['fw_'], '[A-Za-z0-9]{22,}', isUnlikeName),
  token('nvidia_key', ['nvapi-'], '[A-Za-z0-9_-]{40,}', isToken),
  token('tavily_key', ['tvly-'], '[A-Za-z0-9_-]{20,}', isToken),
  token('langsmith_key', ['lsv2_pt_', 'lsv2_sk_'], '[A-Za-z0-9_]{32,}', isToken),
  token('pinecone_key', ['pcsk_'], '[A-Za-z0-9_]{32,}', isToken),
  token('e2b_key', ['e2b_'], '[a-f0-9]{32,}'),
  token('bedrock_key', ['ABSK'], '[A-Za-z0-9+/=]{80,}', isToken),
];

import { ALNUM, DASH, DIGIT, DOT, HEX, LOWER, SIGN, UNDERSCORE, UPPER, WORD } from "./characters.ts";

/** A kind of token that its beginning identifies. */
export interface TokenKind {
  readonly kind: string;
  readonly prefix: string;
  /** Parts after the prefix, each of which ends with a dot. */
  readonly lead: readonly (TokenPart & { readonly atMost: number })[];
  /** The rest, which lasts as long as its characters do. */
  readonly body: TokenPart;
  /** What a token must contain, so that plain words are not tokens: digits or letters of both cases, or all of these. */
  readonly needs: "nothing" | "variety" | "all";
}

interface TokenPart {
  readonly characters: number;
  readonly atLeast: number;
}

const BASE64 = ALNUM | SIGN;
const SMALL = LOWER | DIGIT;
const LARGE = UPPER | DIGIT;

/**
 * The kinds of tokens. If two match, the earlier one names the token. Prefix and least length together make at least 16
 * characters.
 */
export const tokenKinds: readonly TokenKind[] = [
  ...createKind("Anthropic key", WORD, 20, "sk-ant-"),
  ...createKind("OpenRouter key", ALNUM, 32, "sk-or-v1-"),
  ...createKind("OpenAI key", WORD, 20, "sk-proj-", "sk-svcacct-", "sk-admin-"),
  ...createKind("OpenAI key", ALNUM, 20, "sk-"),
  ...createKind("OpenAI key", WORD, 32, "sk-").map(requireAll),
  ...createKind("Google API key", WORD, 35, "AIza"),
  ...createKind("Google OAuth token", WORD | DOT, 20, "ya29.", "GOCSPX-", "1//0").map(requireVariety),
  ...createKind("AWS access key id", LARGE, 16, "AKIA", "ASIA", "ABIA", "ACCA"),
  ...createKind("AWS Bedrock key", BASE64, 60, "ABSK").map(requireAll),
  ...createKind("GitHub token", ALNUM | UNDERSCORE, 30, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_").map(
    requireVariety,
  ),
  ...createKind(
    "GitLab token",
    WORD,
    20,
    "glpat-",
    "gldt-",
    "glrt-",
    "glcbt-",
    "glptt-",
    "glft-",
    "glsoat-",
    "gloas-",
  ).map(requireVariety),
  ...createKind(
    "Slack token",
    ALNUM | DASH,
    16,
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xoxr-",
    "xoxs-",
    "xoxe-",
    "xoxe.",
    "xapp-",
  ).map(requireVariety),
  ...createKind("Stripe key", ALNUM, 16, "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"),
  ...createKind("ElevenLabs key", HEX, 40, "sk_"),
  ...createKind("Twilio key", HEX, 32, "SK"),
  { kind: "SendGrid key", prefix: "SG.", lead: [createWordPart(16, 32)], body: createWordPart(16), needs: "all" },
  ...createKind("Mailgun key", SMALL, 32, "key-").map(requireVariety),
  ...createKind("npm token", ALNUM, 30, "npm_"),
  ...createKind("PyPI token", WORD, 32, "pypi-").map(requireAll),
  ...createKind("RubyGems key", HEX, 32, "rubygems_"),
  ...createKind("Docker Hub token", WORD, 20, "dckr_pat_", "dckr_oat_"),
  ...createKind("Hugging Face token", ALNUM, 30, "hf_", "api_org_"),
  ...createKind("Replicate token", ALNUM, 30, "r8_"),
  ...createKind("Groq key", ALNUM, 32, "gsk_"),
  ...createKind("xAI key", ALNUM, 32, "xai-"),
  ...createKind("Perplexity key", ALNUM, 32, "pplx-"),
  ...createKind("Tavily key", WORD, 20, "tvly-"),
  ...createKind("Pinecone key", ALNUM | UNDERSCORE, 32, "pcsk_"),
  ...createKind("LangSmith key", ALNUM | UNDERSCORE, 32, "lsv2_pt_", "lsv2_sk_"),
  ...createKind("Databricks token", HEX, 32, "dapi"),
  ...createKind("DigitalOcean token", HEX, 40, "dop_v1_", "doo_v1_", "dor_v1_"),
  ...createKind("Heroku key", WORD, 32, "HRKU-"),
  ...createKind("Linear key", ALNUM, 32, "lin_api_", "lin_oauth_"),
  ...createKind("Notion token", ALNUM, 40, "secret_", "ntn_"),
  ...createKind("Shopify token", HEX, 32, "shpat_", "shpca_", "shppa_", "shpss_"),
  ...createKind("Square token", WORD, 22, "sq0atp-", "sq0csp-", "sq0idp-"),
  ...createKind("Square token", WORD, 56, "EAAA").map(requireAll),
  ...createKind("Facebook token", ALNUM, 60, "EAA").map(requireAll),
  ...["M", "N", "O"].map(
    (prefix): TokenKind => ({
      kind: "Discord token",
      prefix,
      lead: [createWordPart(22, 27), createWordPart(6, 7)],
      body: createWordPart(27),
      needs: "all",
    }),
  ),
  { kind: "JWT", prefix: "eyJ", lead: [createWordPart(10, 512)], body: createPart(WORD | DOT, 10), needs: "variety" },
  {
    kind: "Airtable token",
    prefix: "pat",
    lead: [{ ...createPart(ALNUM, 14), atMost: 14 }],
    body: createPart(HEX, 40),
    needs: "variety",
  },
  ...createKind("Supabase key", ALNUM | UNDERSCORE, 30, "sbp_", "sb_secret_").map(requireVariety),
  ...createKind("Netlify token", ALNUM, 36, "nfp_"),
  ...createKind("Fly.io token", BASE64 | WORD, 40, "fm2_", "fo1_").map(requireVariety),
  ...createKind("Grafana token", BASE64 | UNDERSCORE, 32, "glsa_", "glc_"),
  ...createKind("New Relic key", ALNUM, 27, "NRAK-"),
  ...createKind("Sentry token", BASE64 | WORD, 40, "sntrys_", "sntryu_"),
  ...createKind("PostHog key", ALNUM, 32, "phx_"),
  ...createKind("Doppler token", ALNUM, 36, "dp.pt.", "dp.st.", "dp.ct.", "dp.sa."),
  ...createKind("Vault token", WORD, 24, "hvs.", "hvb.", "hvr.").map(requireVariety),
  ...createKind("Pulumi token", HEX, 40, "pul-"),
  ...createKind("Atlassian token", BASE64 | WORD, 60, "ATATT3"),
  ...createKind("Figma token", WORD, 32, "figd_"),
  ...createKind("Postman key", HEX | DASH, 40, "PMAK-"),
  ...createKind("PlanetScale token", WORD, 32, "pscale_tkn_", "pscale_pw_", "pscale_oauth_"),
  ...createKind("Contentful token", WORD, 40, "CFPAT-"),
  ...createKind("Brevo key", ALNUM | DASH, 60, "xkeysib-"),
  ...createKind("age key", LARGE, 50, "AGE-SECRET-KEY-1"),
];

function createKind(kind: string, characters: number, atLeast: number, ...prefixes: string[]): TokenKind[] {
  return prefixes.map((prefix) => ({
    kind,
    prefix,
    lead: [],
    body: createPart(characters, atLeast),
    needs: "nothing",
  }));
}

function requireAll(kind: TokenKind): TokenKind {
  return { ...kind, needs: "all" };
}

function requireVariety(kind: TokenKind): TokenKind {
  return { ...kind, needs: "variety" };
}

function createPart(characters: number, atLeast: number): TokenPart {
  return { characters, atLeast };
}

function createWordPart(atLeast: number, atMost = atLeast): TokenPart & { readonly atMost: number } {
  return { characters: WORD, atLeast, atMost };
}

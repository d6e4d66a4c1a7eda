import { ALNUM, DASH, DIGIT, DOT, HEX, LOWER, SIGN, UNDERSCORE, UPPER, WORD } from "./characters.ts";

/** A kind of token that is known by how it begins. */
export interface TokenKind {
  readonly kind: string;
  readonly prefix: string;
  /** Parts after the prefix that each end in a dot. */
  readonly lead: readonly (TokenPart & { readonly atMost: number })[];
  /** The rest, which goes on for as long as its characters do. */
  readonly body: TokenPart;
  /** What must occur so that plain words are no tokens: digits or letters of both sizes, or all of these. */
  readonly needs: "nothing" | "variety" | "all";
}

interface TokenPart {
  readonly characters: number;
  readonly atLeast: number;
}

const BASE64 = ALNUM | SIGN;
const SMALL = LOWER | DIGIT;
const LARGE = UPPER | DIGIT;

/** The kinds of tokens; of two that fit, the earlier names it. Prefix and least length make at least 16 characters. */
export const tokenKinds: readonly TokenKind[] = [
  ...of("Anthropic key", WORD, 20, "sk-ant-"),
  ...of("OpenRouter key", ALNUM, 32, "sk-or-v1-"),
  ...of("OpenAI key", WORD, 20, "sk-proj-", "sk-svcacct-", "sk-admin-"),
  ...of("OpenAI key", ALNUM, 20, "sk-"),
  ...of("OpenAI key", WORD, 32, "sk-").map(needingAll),
  ...of("Google API key", WORD, 35, "AIza"),
  ...of("Google OAuth token", WORD | DOT, 20, "ya29.", "GOCSPX-", "1//0").map(needingVariety),
  ...of("AWS access key id", LARGE, 16, "AKIA", "ASIA", "ABIA", "ACCA"),
  ...of("AWS Bedrock key", BASE64, 60, "ABSK").map(needingAll),
  ...of("GitHub token", ALNUM | UNDERSCORE, 30, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_").map(
    needingVariety,
  ),
  ...of("GitLab token", WORD, 20, "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "gloas-").map(
    needingVariety,
  ),
  ...of("Slack token", ALNUM | DASH, 16, "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xapp-").map(
    needingVariety,
  ),
  ...of("Stripe key", ALNUM, 16, "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"),
  ...of("ElevenLabs key", HEX, 40, "sk_"),
  ...of("Twilio key", HEX, 32, "SK"),
  { kind: "SendGrid key", prefix: "SG.", lead: [word(16, 32)], body: word(16), needs: "all" },
  ...of("Mailgun key", SMALL, 32, "key-").map(needingVariety),
  ...of("npm token", ALNUM, 30, "npm_"),
  ...of("PyPI token", WORD, 32, "pypi-").map(needingAll),
  ...of("RubyGems key", HEX, 32, "rubygems_"),
  ...of("Docker Hub token", WORD, 20, "dckr_pat_", "dckr_oat_"),
  ...of("Hugging Face token", ALNUM, 30, "hf_", "api_org_"),
  ...of("Replicate token", ALNUM, 30, "r8_"),
  ...of("Groq key", ALNUM, 32, "gsk_"),
  ...of("xAI key", ALNUM, 32, "xai-"),
  ...of("Perplexity key", ALNUM, 32, "pplx-"),
  ...of("Tavily key", WORD, 20, "tvly-"),
  ...of("Pinecone key", ALNUM | UNDERSCORE, 32, "pcsk_"),
  ...of("LangSmith key", ALNUM | UNDERSCORE, 32, "lsv2_pt_", "lsv2_sk_"),
  ...of("Databricks token", HEX, 32, "dapi"),
  ...of("DigitalOcean token", HEX, 40, "dop_v1_", "doo_v1_", "dor_v1_"),
  ...of("Heroku key", WORD, 32, "HRKU-"),
  ...of("Linear key", ALNUM, 32, "lin_api_", "lin_oauth_"),
  ...of("Notion token", ALNUM, 40, "secret_", "ntn_"),
  ...of("Shopify token", HEX, 32, "shpat_", "shpca_", "shppa_", "shpss_"),
  ...of("Square token", WORD, 22, "sq0atp-", "sq0csp-", "sq0idp-"),
  ...of("Square token", WORD, 56, "EAAA").map(needingAll),
  ...of("Facebook token", ALNUM, 60, "EAA").map(needingAll),
  ...["M", "N", "O"].map(
    (prefix): TokenKind => ({
      kind: "Discord token",
      prefix,
      lead: [word(22, 27), word(6, 7)],
      body: word(27),
      needs: "all",
    }),
  ),
  { kind: "JWT", prefix: "eyJ", lead: [word(10, 512)], body: part(WORD | DOT, 10), needs: "variety" },
  {
    kind: "Airtable token",
    prefix: "pat",
    lead: [{ ...part(ALNUM, 14), atMost: 14 }],
    body: part(HEX, 40),
    needs: "variety",
  },
  ...of("Supabase key", ALNUM | UNDERSCORE, 30, "sbp_", "sb_secret_").map(needingVariety),
  ...of("Netlify token", ALNUM, 36, "nfp_"),
  ...of("Fly.io token", BASE64 | WORD, 40, "fm2_", "fo1_").map(needingVariety),
  ...of("Grafana token", BASE64 | UNDERSCORE, 32, "glsa_", "glc_"),
  ...of("New Relic key", ALNUM, 27, "NRAK-"),
  ...of("Sentry token", BASE64 | WORD, 40, "sntrys_", "sntryu_"),
  ...of("PostHog key", ALNUM, 32, "phx_"),
  ...of("Doppler token", ALNUM, 36, "dp.pt.", "dp.st.", "dp.ct.", "dp.sa."),
  ...of("Vault token", WORD, 24, "hvs.", "hvb.", "hvr.").map(needingVariety),
  ...of("Pulumi token", HEX, 40, "pul-"),
  ...of("Atlassian token", BASE64 | WORD, 60, "ATATT3"),
  ...of("Figma token", WORD, 32, "figd_"),
  ...of("Postman key", HEX | DASH, 40, "PMAK-"),
  ...of("PlanetScale token", WORD, 32, "pscale_tkn_", "pscale_pw_", "pscale_oauth_"),
  ...of("Contentful token", WORD, 40, "CFPAT-"),
  ...of("Brevo key", ALNUM | DASH, 60, "xkeysib-"),
  ...of("age key", LARGE, 50, "AGE-SECRET-KEY-1"),
];

function of(kind: string, characters: number, atLeast: number, ...prefixes: string[]): TokenKind[] {
  return prefixes.map((prefix) => ({ kind, prefix, lead: [], body: part(characters, atLeast), needs: "nothing" }));
}

function needingAll(kind: TokenKind): TokenKind {
  return { ...kind, needs: "all" };
}

function needingVariety(kind: TokenKind): TokenKind {
  return { ...kind, needs: "variety" };
}

function part(characters: number, atLeast: number): TokenPart {
  return { characters, atLeast };
}

function word(atLeast: number, atMost = atLeast): TokenPart & { readonly atMost: number } {
  return { characters: WORD, atLeast, atMost };
}

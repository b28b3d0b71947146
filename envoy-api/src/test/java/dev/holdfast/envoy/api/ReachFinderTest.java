// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import static dev.holdfast.envoy.api.ConfigFixture.typed;
import static dev.holdfast.envoy.api.ConfigFixture.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a configuration reaches beyond its requests is found at any depth, with its place. */
class ReachFinderTest {
  private static final String FILTERS = "envoy.extensions.filters.http.";

  /** {@code line: KIND path what}, without the types. */
  private static List<String> reach(String yaml) {
    return ReachFinder.find(yaml(yaml)).stream()
        .filter(each -> each.kind() != Reach.Kind.TYPE)
        .map(
            each ->
                each.position().line()
                    + ": "
                    + each.kind()
                    + " "
                    + each.path()
                    + " "
                    + each.what().substring(each.what().lastIndexOf('.') + 1))
        .toList();
  }

  @Test
  void luaIsCodeWhateverItSays() {
    assertThat(
            reach(
                typed(
                    FILTERS + "lua.v3.LuaPerRoute",
                    """
                    sourceCode:
                      inlineString: "-- nothing"
                    """)))
        .containsExactly("1: LUA  LuaPerRoute");
    assertThat(reach(typed(FILTERS + "lua.v3.LuaPerRoute", "disabled: true\n"))).isEmpty();
  }

  @Test
  void filesAndVariablesAreFoundInEverySpelling() {
    assertThat(
            reach(
                typed(
                    FILTERS + "lua.v3.Lua",
                    """
                    source_codes:
                      one: {filename: /etc/passwd}
                      two: {environmentVariable: HOME}
                    defaultSourceCode: {environment_variable: PATH}
                    """)))
        .containsExactly(
            "1: LUA  Lua",
            "3: FILE source_codes.one.filename filename",
            "4: ENVIRONMENT source_codes.two.environmentVariable environment_variable",
            "5: ENVIRONMENT defaultSourceCode.environment_variable environment_variable");
  }

  @Test
  void messagesInsideOfOthersAreLookedInto() {
    assertThat(
            reach(
                typed(
                    FILTERS + "composite.v3.ExecuteFilterAction",
                    """
                    typedConfig:
                      name: inner
                      typedConfig:
                        "@type": type.googleapis.com/xds.type.v3.TypedStruct
                        typeUrl: type.googleapis.com/%sjwt_authn.v3.JwtAuthentication
                        value:
                          providers:
                            one:
                              forward_payload_header: Content-Length
                              remoteJwks: {httpUri: {uri: "https://a.example/keys", cluster: c, timeout: 1s}}
                    """
                        .formatted(FILTERS))))
        .containsExactly(
            "10: HEADER typedConfig.typedConfig.value.providers.one.forward_payload_header"
                + " content-length",
            "11: REMOTE typedConfig.typedConfig.value.providers.one.remoteJwks.httpUri.uri uri");
  }

  @Test
  void whatATypedStructNamesAndNobodyKnowsIsNotLookedInto() {
    assertThat(
            reach(
                typed(
                    "udpa.type.v1.TypedStruct",
                    """
                    type_url: type.googleapis.com/envoy.extensions.of.tomorrow.v3.Config
                    value: {filename: /etc/passwd}
                    """)))
        .containsExactly("2: UNKNOWN type_url Config");
  }

  @Test
  void aWasmModuleIsOneFinding() {
    assertThat(
            reach(
                typed(
                    FILTERS + "wasm.v3.Wasm",
                    """
                    config:
                      vmConfig:
                        code: {remote: {httpUri: {uri: "https://a.example", cluster: c, timeout: 1s}}}
                        environmentVariables: {hostEnvKeys: [HOME]}
                    """)))
        .containsExactly(
            "1: WASM  Wasm",
            "4: REMOTE config.vmConfig.code.remote.httpUri.uri uri",
            "5: ENVIRONMENT config.vmConfig.environmentVariables.hostEnvKeys host_env_keys");
  }

  @Test
  void headersAndFormatsAreFound() {
    assertThat(
            reach(
                typed(
                    FILTERS + "header_mutation.v3.HeaderMutation",
                    """
                    mutations:
                      requestMutations:
                      - append:
                          header: {key: Transfer-Encoding, value: "%ENVIRONMENT(SECRET)%"}
                      - remove: Connection
                    """)))
        .containsExactly(
            "5: HEADER mutations.requestMutations[0].append.header.key transfer-encoding",
            "5: ENVIRONMENT mutations.requestMutations[0].append.header.value %ENVIRONMENT()%",
            "6: HEADER mutations.requestMutations[1].remove connection");
  }

  @Test
  void credentialsOfTheMachineAndForwardProxiesAreFound() {
    assertThat(reach(typed(FILTERS + "gcp_authn.v3.GcpAuthnFilterConfig", "cluster: c\n")))
        .containsExactly("1: ENVIRONMENT  GcpAuthnFilterConfig");
    assertThat(
            reach(
                typed(
                    FILTERS + "dynamic_forward_proxy.v3.PerRouteConfig",
                    "hostRewriteLiteral: a.example\n")))
        .containsExactly("1: REMOTE  PerRouteConfig");
  }

  @Test
  void moreThanCanBeLookedAtIsAFinding() {
    StringBuilder wide = new StringBuilder("mutations:\n");
    wide.append("  requestMutations: &a\n");
    for (int i = 0; i < 300; i++) {
      wide.append("  - {remove: x-").append(i).append("}\n");
    }
    wide.append("  responseMutations: [");
    for (int i = 0; i < 1000; i++) {
      wide.append("*a, ");
    }
    wide.append("*a]\n");
    assertThat(
            ReachFinder.find(
                yaml(typed(FILTERS + "header_mutation.v3.HeaderMutation", wide.toString()))))
        .filteredOn(each -> each.kind() == Reach.Kind.UNKNOWN)
        .hasSize(1);
  }
}

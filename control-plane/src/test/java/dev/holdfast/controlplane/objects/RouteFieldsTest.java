// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invalid fields of a route. The route's own fields start at line 8, column 5. */
class RouteFieldsTest {
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        // conditions
        "conditions: [{prefix: a}] => 8:27: spec.routes[0].conditions[0].prefix: \"a\" (expected: a path that starts with \"/\", no control characters)",
        "conditions: [{prefix: /a}, {exact: /b}] => 8:32: spec.routes[0].conditions[1]: a second condition on the path (expected: at most one)",
        "conditions: [{prefix: /a, exact: /b}] => 8:18: spec.routes[0].conditions[0]: prefix and exact (expected: exactly one of prefix, exact, regex, header, queryParameter)",
        "conditions: [{}] => 8:18: spec.routes[0].conditions[0]: nothing (expected: exactly one of prefix, exact, regex, header, queryParameter)",
        "conditions: [{regex: '/a('}] => 8:26: spec.routes[0].conditions[0].regex: \"/a(\" (expected: a regular expression that RE2 understands; RE2 says: missing closing ))",
        "conditions: [{regex: '/(?=a)'}] => 8:26: spec.routes[0].conditions[0].regex: \"/(?=a)\" (expected: a regular expression that RE2 understands; RE2 says: invalid or unsupported Perl syntax, at character 2: \"(?=\")",
        "conditions: [{header: {name: a b, present: true}}] => 8:34: spec.routes[0].conditions[0].header.name: \"a b\" (expected: at most 256 letters, digits and !#$%&'*+.^_`|~- only)",
        "conditions: [{header: {name: a}}] => 8:27: spec.routes[0].conditions[0].header: nothing (expected: exactly one of present, notpresent, contains, notcontains, exact, notexact, regex)",
        "conditions: [{header: {name: a, exact: b, contains: c}}] => 8:27: spec.routes[0].conditions[0].header: contains and exact (expected: exactly one of present, notpresent, contains, notcontains, exact, notexact, regex)",
        "conditions: [{header: {name: a, regex: '['}}] => 8:44: spec.routes[0].conditions[0].header.regex: \"[\" (expected: a regular expression that RE2 understands; RE2 says: missing closing ])",
        "conditions: [{header: {name: a, exact: b, treatMissingAsEmpty: true}}] => 8:68: spec.routes[0].conditions[0].header.treatMissingAsEmpty: true (expected: only with notcontains or notexact)",
        "conditions: [{header: {name: a, exact: b}}, {header: {name: A, exact: c}}] => 8:49:"
            + " spec.routes[0].conditions[1]: contradicts another condition on header A"
            + " (expected: conditions that can be true together)",
        "conditions: [{header: {name: a, present: true}}, {header: {name: a, notpresent: true}}]"
            + " => 8:54: spec.routes[0].conditions[1]: contradicts another condition on header a"
            + " (expected: conditions that can be true together)",
        "conditions: [{header: {name: a, contains: b}}, {header: {name: a, notcontains: b}}] =>"
            + " 8:52: spec.routes[0].conditions[1]: contradicts another condition on header a"
            + " (expected: conditions that can be true together)",
        "conditions: [{queryParameter: {name: a}}] => 8:35: spec.routes[0].conditions[0].queryParameter: nothing (expected: exactly one of exact, prefix, suffix, regex, contains, present)",
        "conditions: [{prefix: \"/a\\tb\"}] => 8:27: spec.routes[0].conditions[0].prefix: \"/a\\u0009b\" (expected: a path that starts with \"/\", no control characters)",
        "conditions: [{queryParameter: {name: a, regex: ''}}] => 8:52: spec.routes[0].conditions[0].queryParameter.regex: \"\" (expected: a regular expression that RE2 understands, not empty)",
        // headers
        "requestHeadersPolicy: {set: [{name: A, value: \"b\\nc\"}]} => 8:51: spec.routes[0].requestHeadersPolicy.set[0].value: \"b\\nc\" (expected: no control characters such as line breaks)",
        "requestHeadersPolicy: {set: [{name: a, value: b}, {name: A, value: c}]} => 8:62: spec.routes[0].requestHeadersPolicy.set[1].name: \"A\" is set twice",
        "requestHeadersPolicy: {remove: [Host]} => 8:37:"
            + " spec.routes[0].requestHeadersPolicy.remove[0]: \"Host\" (expected: another"
            + " header; Host is required in requests)",
        "responseHeadersPolicy: {set: [{name: host, value: b}]} => 8:42: spec.routes[0].responseHeadersPolicy.set[0].name: Host (expected: another header; responses have no Host)",
        "requestHeadersPolicy: {set: [{name: Host, value: 'a%b%'}]} => 8:54: spec.routes[0].requestHeadersPolicy.set[0].value: \"a%b%\" (expected: a host, or %REQ(header)%)",
        // timeouts and retries
        "timeoutPolicy: {response: 5} => 8:31: spec.routes[0].timeoutPolicy.response: a number (expected: a string; put it in quotes)",
        "timeoutPolicy: {idle: 5 s} => 8:27: spec.routes[0].timeoutPolicy.idle: \"5 s\" (expected: a duration such as \"1h30m\", or \"infinity\")",
        "timeoutPolicy: {idle: -1s} => 8:27: spec.routes[0].timeoutPolicy.idle: \"-1s\" (expected: a duration such as \"1h30m\", or \"infinity\")",
        "retryPolicy: {count: -2} => 8:26: spec.routes[0].retryPolicy.count: -2 (expected: a whole number from -1 to 2147483647)",
        "retryPolicy: {retryOn: [never]} => 8:29: spec.routes[0].retryPolicy.retryOn[0]: \"never\" (expected: one of 5xx, gateway-error, reset, reset-before-request, connect-failure, envoy-ratelimited, retriable-4xx, refused-stream, retriable-status-codes, retriable-headers, http3-post-connect-failure, cancelled, deadline-exceeded, internal, resource-exhausted, unavailable)",
        // health checks
        "healthCheckPolicy: {path: ''} => 8:31: spec.routes[0].healthCheckPolicy.path: \"\" (expected: a path that starts with \"/\", no control characters)",
        "healthCheckPolicy: {path: /h, intervalSeconds: -1} => 8:52: spec.routes[0].healthCheckPolicy.intervalSeconds: -1 (expected: a whole number from 0 to 2147483647)",
        "healthCheckPolicy: {path: /h, expectedStatuses: [{start: 300, end: 200}]} => 8:72: spec.routes[0].healthCheckPolicy.expectedStatuses[0].end: 200 (expected: more than start, 300)",
        // limits and filters
        "rateLimitPolicy: {local: {requests: 0, unit: second}} => 8:41: spec.routes[0].rateLimitPolicy.local.requests: 0 (expected: a whole number from 1 to 4294967295)",
        "rateLimitPolicy: {local: {requests: 4294967295, unit: hour, burst: 1}} => 8:72: spec.routes[0].rateLimitPolicy.local.burst: 1 (expected: together with requests at most 4294967295)",
        "rateLimitPolicy: {local: {requests: 1}} => 8:30: spec.routes[0].rateLimitPolicy.local.unit: missing",
        "rateLimitPolicy: {global: {}} => 8:31: spec.routes[0].rateLimitPolicy.global.descriptors: none (expected: at least one, or disabled: true)",
        "rateLimitPolicy: {global: {descriptors: [{entries: [{}]}]}} => 8:57: spec.routes[0].rateLimitPolicy.global.descriptors[0].entries[0]: nothing (expected: exactly one of genericKey, requestHeader, requestHeaderValueMatch, remoteAddress)",
        "rateLimitPolicy: {global: {descriptors: [{entries: [{requestHeaderValueMatch: {value: a, headers: [{name: b, regex: '('}]}}]}]}} => 8:121: spec.routes[0].rateLimitPolicy.global.descriptors[0].entries[0].requestHeaderValueMatch.headers[0].regex: \"(\" (expected: a regular expression that RE2 understands; RE2 says: missing closing ))",
        "ipAllowPolicy: [{source: Peer, cidr: 1.2.3.4/33}] => 8:42: spec.routes[0].ipAllowPolicy[0].cidr: \"1.2.3.4/33\" (expected: an IP address, or ADDRESS/PREFIX_LENGTH)",
        "ipAllowPolicy: [{source: Peer, cidr: '00001::1'}] => 8:42: spec.routes[0].ipAllowPolicy[0].cidr: \"00001::1\" (expected: an IP address, or ADDRESS/PREFIX_LENGTH)",
        "ipAllowPolicy: [{source: Peer, cidr: '::01.2.3.4'}] => 8:42: spec.routes[0].ipAllowPolicy[0].cidr: \"::01.2.3.4\" (expected: an IP address, or ADDRESS/PREFIX_LENGTH)",
        "ipAllowPolicy: [{source: Me, cidr: '::1'}] => 8:30: spec.routes[0].ipAllowPolicy[0].source: \"Me\" (expected: one of Peer, Remote)",
        "rateLimitPolicy: {local: {requests: 1, unit: second, responseStatusCode: 418}} => 8:78: spec.routes[0].rateLimitPolicy.local.responseStatusCode: 418 (expected: a status that Envoy knows, such as 429)",
        "rateLimitPolicy: {local: {requests: 1, unit: second, responseHeadersToAdd: [{name: host, value: a}]}} => 8:88: spec.routes[0].rateLimitPolicy.local.responseHeadersToAdd[0].name: Host (expected: another header; responses have no Host)",
        // rewriting
        "pathRewritePolicy: {replacePrefix: [{replacement: \"/a\\n\"}]} => 8:55: spec.routes[0].pathRewritePolicy.replacePrefix[0].replacement: \"/a\\n\" (expected: a path that starts with \"/\", no control characters)",
        "pathRewritePolicy: {replacePrefix: [{replacement: /a}, {replacement: /b}]} => 8:60: spec.routes[0].pathRewritePolicy.replacePrefix[1]: a second replacement for every prefix (expected: at most one without prefix)",
        // redirects that the proxy follows, and cookies
        "internalRedirectPolicy: {redirectResponseCodes: [302, 304]} => 8:59: spec.routes[0].internalRedirectPolicy.redirectResponseCodes[1]: 304 (expected: 301, 302, 303, 307 or 308)",
        "internalRedirectPolicy: {allowCrossSchemeRedirect: never} => 8:56: spec.routes[0].internalRedirectPolicy.allowCrossSchemeRedirect: \"never\" (expected: one of Always, Never, SafeOnly)",
        "cookieRewritePolicies: [{name: a}] => 8:29: spec.routes[0].cookieRewritePolicies[0]: nothing to rewrite (expected: pathRewrite, domainRewrite, secure or sameSite)",
        "cookieRewritePolicies: [{name: a, secure: true}, {name: a, secure: false}] => 8:54: spec.routes[0].cookieRewritePolicies[1]: a second policy for cookie \"a\" (expected: one)",
        "cookieRewritePolicies: [{name: a=b, secure: true}] => 8:36: spec.routes[0].cookieRewritePolicies[0].name: \"a=b\" (expected: 1 to 4096 characters that a cookie name may have)",
        "cookieRewritePolicies: [{name: a, pathRewrite: {value: /a;b}}] => 8:60: spec.routes[0].cookieRewritePolicies[0].pathRewrite.value: \"/a;b\" (expected: 1 to 4096 characters, no semicolon and no control characters)",
        "cookieRewritePolicies: [{name: a, domainRewrite: {value: A.b}}] => 8:62: spec.routes[0].cookieRewritePolicies[0].domainRewrite.value: \"A.b\" (expected: a lower-case DNS name)",
        "cookieRewritePolicies: [{name: a, sameSite: lax}] => 8:49: spec.routes[0].cookieRewritePolicies[0].sameSite: \"lax\" (expected: one of Strict, Lax, None)",
        // actions
        "directResponsePolicy: {statusCode: 200} => 7:5: spec.routes[0]: services and directResponsePolicy (expected: exactly one of services, requestRedirectPolicy, directResponsePolicy)",
        // unsupported and unknown fields
        "jwtVerificationPolicy: {} => 8:5: spec.routes[0].jwtVerificationPolicy: not supported by Holdfast: JWT verification",
        "loadBalancerPolicy: {strategy: RequestHash} => 8:25: spec.routes[0].loadBalancerPolicy.requestHashPolicies: none (expected: at least one, for RequestHash)",
        "loadBalancerPolicy: {requestHashPolicies: [{hashSourceIP: true}]} => 8:47: spec.routes[0].loadBalancerPolicy.requestHashPolicies: without effect (expected: strategy RequestHash as well)",
        "loadBalancerPolicy: {strategy: RequestHash, requestHashPolicies: [{terminal: true}]} => 8:71: spec.routes[0].loadBalancerPolicy.requestHashPolicies[0]: nothing (expected: exactly one of headerHashOptions, queryParameterHashOptions, hashSourceIP)",
        "permitinsecure: true => 8:5: spec.routes[0].permitinsecure: unknown field (did you mean permitInsecure?)",
        "servces: [] => 8:5: spec.routes[0].servces: unknown field (did you mean services?)",
        "permitInsecure: 'yes' => 8:21: spec.routes[0].permitInsecure: a string (expected: true or false)",
      })
  void problemIsReportedAtItsPosition(String field, String problem) {
    assertThat(YamlObjects.problems(YamlObjects.route(field))).containsExactly(problem);
  }
}

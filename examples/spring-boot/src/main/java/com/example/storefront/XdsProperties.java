// SPDX-License-Identifier: Apache-2.0
package com.example.storefront;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the control plane is, and who this application is to it.
 *
 * @param server HOST:PORT of the xDS port
 * @param nodeId unique for each process
 */
@ConfigurationProperties("xds")
public record XdsProperties(
    @DefaultValue("127.0.0.1:18000") String server, @DefaultValue("storefront") String nodeId) {}

// SPDX-License-Identifier: Apache-2.0
package com.example.storefront;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** A web page whose text comes from a gRPC service that a control plane finds. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class StorefrontApplication {
  public static void main(String[] args) {
    SpringApplication.run(StorefrontApplication.class, args);
  }
}
